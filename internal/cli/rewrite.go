package cli

import (
	"context"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"

	"github.com/atomrace/atomrace"
	"github.com/atomrace/atomrace/internal/diff"
	"github.com/atomrace/atomrace/internal/journal"
	"github.com/atomrace/atomrace/rewrite"
)

var rewriteCommand = command{
	name:    "rewrite",
	usage:   "[-d | -w [-vendor-heal] | -undo] [-races] [-deps list] [-std list] [-spec file] [-tags list] [packages]",
	summary: "show or write the instrumented source",
	help: `Rewrite shows, as a diff, the source of the packages with the hooks that test,
build and run would put in, in a form for reading: gofmt-ed, comments where they
were, without line directives. A file that is not gofmt-ed is compared as gofmt
would have it.

	-d            show the diff (the default)
	-w            write the files instead, for builds with the plain go command;
	              the module must require github.com/atomrace/atomrace, for the
	              import of heal, or
	-vendor-heal  with -w: put a copy of heal into the module itself, under
	              internal/atomrace/heal, and import that
	-undo         bring back, byte for byte, the files that -w replaced, and
	              remove the copy of heal
	-races        hook every shared access
	-deps LIST    show dependencies too, as for 'atomrace build'
	-std LIST     show packages of the standard library too
	-spec FILE    the sections (default: as for 'atomrace test')
	-tags LIST    build tags, as for go build

-w keeps the originals in .atomrace, beside go.mod or go.work. It can be stopped
at any moment, and so can -undo. A file that was edited after -w is not touched
by -undo, which then names it and restores nothing.`,
	run: runRewrite,
}

// rewriteOptions are the flags of rewrite.
type rewriteOptions struct {
	show, write, undo, vendorHeal, races bool
	spec, tags, deps, std                string
	packages                             []string
}

func parseRewrite(args []string) (*rewriteOptions, error) {
	o := new(rewriteOptions)
	flags := flag.NewFlagSet("rewrite", flag.ContinueOnError)
	flags.SetOutput(new(discard))
	flags.BoolVar(&o.show, "d", false, "")
	flags.BoolVar(&o.write, "w", false, "")
	flags.BoolVar(&o.undo, "undo", false, "")
	flags.BoolVar(&o.vendorHeal, "vendor-heal", false, "")
	flags.BoolVar(&o.races, "races", false, "")
	flags.StringVar(&o.spec, "spec", "", "")
	flags.StringVar(&o.tags, "tags", "", "")
	flags.StringVar(&o.deps, "deps", "", "")
	flags.StringVar(&o.std, "std", "", "")
	if err := flags.Parse(args); err != nil {
		return nil, usagef("%v (see 'atomrace help rewrite')", err)
	}
	o.packages = flags.Args()
	switch {
	case o.show && o.write:
		return nil, usagef("-d and -w exclude each other")
	case o.write && o.deps+o.std != "":
		return nil, usagef("-w writes files of the main module only; leave out -deps and -std")
	case o.vendorHeal && !o.write:
		return nil, usagef("-vendor-heal goes with -w")
	case o.undo && (flags.NFlag() > 1 || len(o.packages) > 0):
		return nil, usagef("-undo takes nothing else: it brings back all that -w has written")
	}
	return o, nil
}

func runRewrite(ctx context.Context, env *environment, args []string) error {
	o, err := parseRewrite(args)
	if err != nil {
		return err
	}
	var target *writeTarget
	if o.write || o.undo {
		if target, err = newWriteTarget(); err != nil {
			return err
		}
	}
	if o.undo {
		return undoRewrite(env, target)
	}
	if o.write && target.journal.Open() {
		return fmt.Errorf("an earlier -w is still in force; run 'atomrace rewrite -undo' first")
	}
	g := (&goArgs{Packages: o.packages}).defaults("rewrite")
	if o.tags != "" {
		g.Flags = []string{"-tags=" + o.tags}
	}
	if err := g.settle(); err != nil {
		return err
	}
	options := rewrite.Options{
		Patterns: g.Packages, Tests: true, BuildFlags: g.load(), Env: g.env, Races: o.races, Readable: true,
		HealSource: atomrace.HealSource(), Deps: list(o.deps), Std: list(o.std),
	}
	var found map[string]bool
	if options.Spec, found, err = specFor(ctx, o.spec, g, &options); err != nil {
		return err
	}
	if o.vendorHeal {
		if options.HealImport, err = target.healImport(); err != nil {
			return err
		}
	}
	result, err := rewrite.Rewrite(ctx, options)
	if err != nil {
		return g.because(err)
	}
	if err := staleError(options.Spec, found, result.Stale); err != nil {
		return err
	}
	for _, note := range result.Unhooked {
		note.File = relative(note.File)
		fmt.Fprintf(env.stderr, "atomrace rewrite: %v\n", note)
	}
	if o.write {
		return target.write(env, result, o.vendorHeal)
	}
	return showRewrite(env, result)
}

func showRewrite(env *environment, result *rewrite.Result) error {
	for _, file := range slices.Sorted(maps.Keys(result.Files)) {
		old, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if formatted, err := format.Source(old); err == nil {
			old = formatted
		}
		name := relative(file)
		if _, err := env.stdout.Write(diff.Unified(name+".orig", old, name, result.Files[file])); err != nil {
			return err
		}
	}
	return nil
}

func undoRewrite(env *environment, target *writeTarget) error {
	done, err := target.journal.Undo()
	if err != nil {
		return err
	}
	for _, file := range done.Kept {
		fmt.Fprintf(env.stderr, "atomrace rewrite: %s is not as -w left it; the copy of heal stays\n", relative(file))
	}
	fmt.Fprintf(env.stdout, "%s restored\n", files(done.Files))
	return nil
}

// changesOf are what -w is to write.
func changesOf(result *rewrite.Result) ([]journal.Change, error) {
	var changes []journal.Change
	for _, file := range slices.Sorted(maps.Keys(result.Files)) {
		old, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		changes = append(changes, journal.Change{File: file, Old: old, New: result.Files[file]})
	}
	return changes, nil
}

// list is the value of a flag that may be left out.
func list(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}
