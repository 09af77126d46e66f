package cli

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/atomrace/atomrace"
	"github.com/atomrace/atomrace/rewrite"
)

var rewriteCommand = command{
	name:    "rewrite",
	usage:   "[-d | -w] [-races] [-spec file] [-tags list] [packages]",
	summary: "show or write the instrumented source",
	help: `Rewrite shows, as a diff, the source of the packages with the hooks that test,
build and run would put in, in a form for reading: gofmt-ed, comments where they
were, without line directives.

	-d         show the diff (the default)
	-w         write the files instead; the module must then require
	           github.com/atomrace/atomrace for the import of heal
	-races     hook every shared access
	-spec FILE the sections (default: as for 'atomrace test')
	-tags LIST build tags, as for go build`,
	run: runRewrite,
}

func runRewrite(ctx context.Context, env *environment, args []string) error {
	flags := flag.NewFlagSet("rewrite", flag.ContinueOnError)
	flags.SetOutput(new(discard))
	flags.Bool("d", false, "")
	write := flags.Bool("w", false, "")
	races := flags.Bool("races", false, "")
	specFile := flags.String("spec", "", "")
	tags := flags.String("tags", "", "")
	if err := flags.Parse(args); err != nil {
		return usagef("%v (see 'atomrace help rewrite')", err)
	}
	g := (&goArgs{Packages: flags.Args()}).defaults("rewrite")
	if *tags != "" {
		g.Flags = []string{"-tags=" + *tags}
	}
	spec, err := specFor(ctx, *specFile, g)
	if err != nil {
		return err
	}
	result, err := rewrite.Rewrite(ctx, rewrite.Options{
		Patterns: g.Packages, Tests: true, BuildFlags: g.load(), Spec: spec, Races: *races, Readable: true,
		HealSource: atomrace.HealSource(),
	})
	if err != nil {
		return firstLine(err)
	}
	if err := staleError(result.Stale); err != nil {
		return err
	}
	for _, note := range result.Unhooked {
		note.File = relative(note.File)
		fmt.Fprintf(env.stderr, "atomrace rewrite: %v\n", note)
	}
	files := slices.Sorted(maps.Keys(result.Files))
	if *write {
		return writeFiles(files, result.Files)
	}
	for _, file := range files {
		old, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name := relative(file)
		if _, err := env.stdout.Write(diff.Diff(name+".orig", old, name, result.Files[file])); err != nil {
			return err
		}
	}
	return nil
}

// writeFiles replaces the files by their new contents. All of them are written
// beside their targets before the first is renamed, so that a directory that
// cannot be written to leaves the tree as it was.
func writeFiles(files []string, contents map[string][]byte) error {
	temps := map[string]string{}
	defer func() {
		for _, temp := range temps {
			os.Remove(temp)
		}
	}()
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o200 == 0 {
			return fmt.Errorf("%s is read-only; nothing was written", relative(file))
		}
		temp, err := os.CreateTemp(filepath.Dir(file), ".atomrace-*")
		if err != nil {
			return fmt.Errorf("%s cannot be replaced: %w; nothing was written", relative(file), err)
		}
		temps[file] = temp.Name()
		_, err = temp.Write(contents[file])
		if err == nil {
			err = temp.Chmod(info.Mode().Perm())
		}
		if closeErr := temp.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return fmt.Errorf("%s cannot be replaced: %w; nothing was written", relative(file), err)
		}
	}
	for _, file := range files {
		if err := os.Rename(temps[file], file); err != nil {
			return err
		}
		delete(temps, file)
	}
	return nil
}
