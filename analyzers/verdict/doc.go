// Package verdict defines an Analyzer that reads what people have said about
// findings, so that the analyzers that report can keep to it.
//
// # Analyzer verdict
//
// verdict: read what people have said about findings
//
// There are two places for it. A directive in the source,
//
//	//atomrace:ignore ID reason
//
// on the line of a report or alone on the line above, silences the checks ID
// (several are separated by commas) there. And in atomicity.yaml, a section that is
// rejected is not reported, and one that is confirmed is reported although the
// analyzer was not sure of it, with its note and the file. What counts is the
// nearest file that says it, from the directory of the package up to the root of
// the repository.
//
// The analyzer reports nothing by itself: package directive reports directives
// that are wrong or useless. A spec that cannot be loaded counts as none, and
// is reported there too.
package verdict

import _ "embed"

//go:embed doc.go
var doc string
