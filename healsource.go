// Package atomrace carries the source of the runtime, package heal, inside the
// atomrace command, which writes it next to the standard library when it
// builds an instrumented program. It has no API of its own: people import
// github.com/atomrace/atomrace/heal, and the command is cmd/atomrace.
package atomrace

import (
	"embed"
	"io/fs"
)

//go:embed heal/*.go heal/*.s LICENSE
var heal embed.FS

// HealSource returns the files of package heal, at the root of the tree.
func HealSource() fs.FS {
	sub, err := fs.Sub(heal, "heal")
	if err != nil {
		panic(err) // only for an invalid path, and this one is fixed
	}
	return sub
}

// License returns the text of the licence, for copies of package heal.
func License() []byte {
	text, err := heal.ReadFile("LICENSE")
	if err != nil {
		panic(err) // it is compiled in
	}
	return text
}
