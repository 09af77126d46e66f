// Package atomrace carries the source of the runtime, package heal, and of the
// scheduler, package sched, inside the atomrace command, which writes them next to
// the standard library when it builds an instrumented or controlled program, and the
// JSON Schema of atomicity.yaml. It has no API of its own: people import
// github.com/atomrace/atomrace/heal, and the command is cmd/atomrace.
package atomrace

import (
	"embed"
	"io/fs"
)

//go:embed heal/*.go heal/*.s LICENSE
var heal embed.FS

//go:embed sched/*.go sched/*.s
var sched embed.FS

// HealSource returns the files of package heal, at the root of the tree.
func HealSource() fs.FS { return root(heal, "heal") }

// SchedSource returns the files of package sched, at the root of the tree.
func SchedSource() fs.FS { return root(sched, "sched") }

func root(files embed.FS, dir string) fs.FS {
	sub, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // only for an invalid path, and these are fixed
	}
	return sub
}

//go:embed docs/atomicity.schema.json
var specSchema []byte

// SpecSchema returns the JSON Schema of atomicity.yaml. The caller must not change it.
func SpecSchema() []byte { return specSchema }

// License returns the text of the licence, for copies of package heal.
func License() []byte {
	text, err := heal.ReadFile("LICENSE")
	if err != nil {
		panic(err) // it is compiled in
	}
	return text
}
