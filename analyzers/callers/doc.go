// Package callers defines an Analyzer that says who calls the functions of the packages of a
// module, for those who look at a program as a whole.
//
// # Analyzer callers
//
// callers: say who calls the functions of the packages of the module
//
// Go vet analyzes a package without those that import it: an exported function may be called by
// anybody, then, by several goroutines at once. In a program it often is not: the one caller
// is main, or the one goroutine that another package starts. The analyzer reports, in one
// diagnostic for the package whose message is the JSON of a [shared.Calls], who calls what;
// 'atomrace check' puts that together and asks again, with [shared.Analyzer]'s flag callers, about the
// packages in which something is reported. Nobody else runs it.
package callers

import _ "embed"

//go:embed doc.go
var doc string
