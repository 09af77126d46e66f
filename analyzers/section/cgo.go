package section

import "github.com/atomrace/atomrace/internal/pattern"

// cgoNames are the names that cgo gives to what a file calls C.name, which is what the
// analyzers get to see of it.
var cgoNames = pattern.New(`\(\*_Cvar_(\w+)\)|\b_C(?:type|func|macro|[ifs]const)_(\w+)`)

// asWritten puts the names in a message that the file has for what is of C.
func asWritten(message string) string {
	return cgoNames.Regexp().ReplaceAllString(message, "C.$1$2")
}
