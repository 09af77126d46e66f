//go:build !atomrace_off && !race

package heal

func quiet() {}
func loud()  {}
