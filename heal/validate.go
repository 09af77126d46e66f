//go:build !atomrace_off

package heal

// Validate says what is wrong with s as the value of ATOMRACE; nil if nothing
// is. It is for tools that hand options on: a program that starts with an
// invalid value runs on with detection off. Safe for concurrent use.
func Validate(s string) error { return defaults().parse(s) }
