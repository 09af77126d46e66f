// Checkdocs prints docs/checks.md, which is generated from the doc.go of the
// analyzers:
//
//	go run ./internal/checkdocs > docs/checks.md
//
// A test in package analyzers fails when the file in the repository is not what
// this prints, so that the page, the help of the command and the source always
// say the same.
package main

import (
	"fmt"

	"github.com/atomrace/atomrace/analyzers"
)

func main() { fmt.Print(analyzers.Page()) }
