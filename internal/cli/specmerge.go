package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/curate"
)

var specMergeCommand = command{
	name:    "spec merge",
	usage:   "[-base file] [-o file] [-name name] file...",
	summary: "merge files, also as a merge driver of git",
	help: `Merge prints one file with everything that several say, comments included. The
first is added to: its order and layout stay. A section is there once, by its id or
its code, and what a person decided wins over what nobody has. With -base, which both
of two files come from, it is a three-way merge: what one of them changed or
removed is changed or removed.

	-base file   where both files come from; an empty one is none
	-o file      write here, which may be one of the files, instead of printing
	-name name   what to call the first file in messages

Where two say different things (confirmed and rejected, two notes) a person must
decide: each place is named, and the exit status is 1. Nothing is written then,
but with -base and -o the result is, with both sides between the marks of git.

Git uses it after this in .gitattributes, which is committed:

	atomicity.yaml merge=atomicity

and, once on each machine:

	git config --global merge.atomicity.name "atomicity.yaml, section by section"
	git config --global merge.atomicity.driver "atomrace spec merge -base %O -o %A -name %P %A %B"

What a fleet of programs has reported goes into the file by

	atomrace report -suggest logs/* > suggested.yaml
	atomrace spec merge -o atomicity.yaml atomicity.yaml suggested.yaml`,
	run: specRun(runSpecMerge),
}

func runSpecMerge(_ context.Context, env *environment, args []string) error {
	f := newSpecFlags("merge")
	origin := f.String("base", "", "")
	output := f.String("o", "", "")
	shown := f.String("name", "", "")
	names, err := f.arguments(env, args)
	if err != nil {
		return err
	}
	switch {
	case len(names) < 2:
		return usagef("give at least two files to merge (see 'atomrace help spec merge')")
	case *origin != "" && len(names) != 2:
		return usagef("with -base, give two files: ours and theirs")
	}
	specs := make([]*atomicity.Spec, len(names))
	for i, name := range names {
		if specs[i], err = readCalled(name, i, *shown); err != nil {
			return err
		}
	}
	var base *atomicity.Spec
	if *origin != "" {
		if base, err = readBase(*origin); err != nil {
			return err
		}
	}
	ours := specs[0]
	text, err := ours.Bytes()
	if err != nil {
		return err
	}
	for _, theirs := range specs[1:] {
		merged, err := curate.Merge(base, ours, theirs)
		if err != nil {
			return err
		}
		if text = merged.Text; len(merged.Conflicts) > 0 {
			return conflicts(env, merged, *output, base != nil)
		}
		if ours, err = atomicity.Parse(ours.File(), text); err != nil {
			return err
		}
	}
	if *output == "" {
		_, err := env.stdout.Write(text)
		return err
	}
	return writeSpec(*output, text)
}

// conflicts names what a person must decide.
func conflicts(env *environment, merged *curate.Merged, output string, marks bool) error {
	for _, c := range merged.Conflicts {
		fmt.Fprintf(env.stderr, "atomrace spec merge: conflict: %v\n", c)
	}
	if marks && output != "" {
		if err := writeSpec(output, merged.Text); err != nil {
			return err
		}
	}
	return exitError(1)
}

// readCalled reads the i-th file; git's own names for it mean nothing to people.
func readCalled(file string, i int, name string) (*atomicity.Spec, error) {
	if name == "" {
		return readSpec(file)
	}
	data, err := boundedFile(file)
	if err != nil {
		return nil, err
	}
	if i > 0 {
		name += " (theirs)"
	}
	spec, err := atomicity.Parse(name, data)
	if err != nil {
		return nil, firstOf(err)
	}
	return spec, nil
}

// readBase reads the common origin. Git hands over an empty file when both
// sides added theirs.
func readBase(file string) (*atomicity.Spec, error) {
	data, err := boundedFile(file)
	if err == nil && len(bytes.TrimSpace(data)) == 0 {
		return atomicity.New(), nil
	}
	if err != nil && errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("-base: %s does not exist", file)
	}
	return readSpec(file)
}
