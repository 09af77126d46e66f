// Package docs takes the text that an analyzer shows as its Doc out of the
// analyzer's own doc.go, so that `atomrace help`, the web page of the package
// and the source never disagree.
//
// A doc.go that describes an analyzer NAME has a heading "# Analyzer NAME"
// followed by a line "NAME: summary" and the text. It imports nothing of the
// rest of atomrace.
package docs

import (
	"go/parser"
	"go/token"
	"strings"
)

// URL is the web page of the analyzer.
func URL(name string) string {
	return "https://pkg.go.dev/github.com/atomrace/atomrace/analyzers/" + name
}

// Extract returns the summary and text of analyzer name from the source of its
// doc.go. It panics if there is none: that is a mistake in the doc.go which
// every test of the analyzer shows.
func Extract(source, name string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		panic("doc.go of " + name + ": " + err.Error())
	}
	if file.Doc != nil {
		_, section, found := strings.Cut("\n"+file.Doc.Text(), "\n# Analyzer "+name+"\n")
		section, _, _ = strings.Cut(section, "\n# Analyzer ")
		section = strings.TrimSpace(section)
		if rest, ok := strings.CutPrefix(section, name+": "); found && ok {
			return strings.TrimSpace(rest)
		}
	}
	panic("doc.go has no section for analyzer " + name)
}
