//go:build !atomrace_off && !race

package heal

// raceBuild says that the race detector watches.
const raceBuild = false

func quiet() {}
func loud()  {}
