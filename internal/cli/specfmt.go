package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/diff"
)

var specFmtCommand = command{
	name:    "spec fmt",
	usage:   "[-l | -d] [file...]",
	summary: "bring files into the canonical layout",
	help: `Fmt lays files out as infer writes new entries: fields in the order of the
reference, one access a line, two spaces a level. Comments, blank lines, the
quoting of texts and the order of entries stay. Without a file it takes the nearest
atomicity.yaml. It is never needed: all commands keep the layout they find.

	-l   only list the files that would change, and exit with 3 if there are any
	-d   only show what would change`,
	run: specRun(runSpecFmt),
}

func runSpecFmt(_ context.Context, env *environment, args []string) error {
	f := newSpecFlags("fmt")
	list := f.Bool("l", false, "")
	show := f.Bool("d", false, "")
	names, err := f.arguments(env, args)
	if err != nil {
		return err
	}
	if *list && *show {
		return usagef("-l and -d exclude each other")
	}
	if len(names) == 0 {
		file, err := f.find()
		if err != nil {
			return err
		}
		names = []string{relative(file)}
	}
	// All files are read and formatted before the first is written.
	var specs []*atomicity.Spec
	var texts [][]byte
	for _, name := range names {
		spec, err := atomicity.Load(name)
		if err != nil {
			return firstOf(err)
		}
		text, err := spec.Format()
		if err != nil {
			return err
		}
		old, err := spec.Bytes()
		if err != nil {
			return err
		}
		if bytes.Equal(old, text) {
			continue
		}
		if *show {
			if _, err := env.stdout.Write(diff.Unified(name, old, name, text)); err != nil {
				return err
			}
		}
		specs, texts = append(specs, spec), append(texts, text)
	}
	for i, spec := range specs {
		if !*show {
			fmt.Fprintln(env.stdout, spec.File())
		}
		if !*show && !*list {
			if err := spec.Replace(texts[i]); err != nil {
				return err
			}
		}
	}
	if *list && len(specs) > 0 {
		return exitError(3)
	}
	return nil
}

// writeSpec writes a text that was made from files into a file of its own, in
// the way of Spec.Save.
func writeSpec(file string, text []byte) error {
	old, err := os.ReadFile(file)
	if err == nil && bytes.Equal(old, text) {
		return nil
	}
	return atomicity.WriteFile(file, text)
}
