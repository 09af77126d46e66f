package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

var specCommand = command{
	name:    "spec",
	usage:   "COMMAND [arguments]",
	summary: "look after atomicity.yaml: lint, judge, compare and merge it",
	run: func(ctx context.Context, env *environment, args []string) error {
		if len(args) == 0 {
			return usagef("which command? %s; 'atomrace help spec' explains them", strings.Join(specNames(), ", "))
		}
		for _, c := range specCommands() {
			if c.name != "spec "+args[0] {
				continue
			}
			if status := runCommandSafely(c, args[1:]); status != 0 {
				return exitError(status)
			}
			return nil
		}
		if slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
			return helpCommand.run(ctx, env, []string{"spec"})
		}
		near, ok := atomicity.Nearest(args[0], specNames())
		if ok {
			return usagef("no command is called %q; did you mean %s?", args[0], near)
		}
		return usagef("no command is called %q; there are %s", args[0], strings.Join(specNames(), ", "))
	},
}

// specCommands in the order of "atomrace help spec".
func specCommands() []command {
	return []command{specLintCommand, specFmtCommand, specListCommand, specShowCommand, specExplainCommand, specStatsCommand,
		specPromoteCommand, specRejectCommand, specPruneCommand, specDiffCommand, specMergeCommand, specSchemaCommand}
}

func specNames() []string {
	var names []string
	for _, c := range specCommands() {
		names = append(names, strings.TrimPrefix(c.name, "spec "))
	}
	return names
}

// specHelp is the text of "atomrace help spec".
func specHelp() string {
	var b strings.Builder
	b.WriteString("Spec looks after atomicity.yaml, which people curate and atomrace obeys:\n\n")
	for _, c := range specCommands() {
		fmt.Fprintf(&b, "	%-13s  %s\n", c.name, c.summary)
	}
	b.WriteString(`
The file is the nearest atomicity.yaml from the working directory up to the root of
the repository, or that of -f. Where there are several, for the modules of a
repository or for packages below, list, show, explain, stats, promote, reject and
lint look at all of them that are above or below, and say which one an entry comes
from: what a person says in a nearer file goes before what one farther away says.

Flags may stand before and behind other arguments. What changes the file changes
what it must and leaves every other byte, comments and order included, as it was;
on an error nothing is written.

Sections are named by their ids, of which * stands for any text and ? for any
character: '(*Pool).*'. Quote them, or the shell will read them.

The exit status is 0, or 1 when something could not be done, 2 for a wrong
command line, and 3 for findings: of lint, and of fmt -l and diff -exit-code.

Use "atomrace help spec NAME" for one of these commands.`)
	return b.String()
}

// specFlags are the flags of one of the spec commands.
type specFlags struct {
	*flag.FlagSet
	topic []string // what atomrace help calls the command
	file  string   // -f
	json  bool     // -json, where there is data to print
}

func newSpecFlags(name string) *specFlags {
	f := &specFlags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), topic: []string{"spec", name}}
	f.SetOutput(io.Discard)
	return f
}

func (f *specFlags) withFile() *specFlags {
	f.StringVar(&f.file, "f", "", "")
	return f
}

func (f *specFlags) withJSON() *specFlags {
	f.BoolVar(&f.json, "json", false, "")
	return f
}

// errHelped says that help was asked for and given.
var errHelped = errors.New("helped")

// arguments parses flags wherever they stand and returns the other arguments.
// After -- nothing is a flag.
func (f *specFlags) arguments(env *environment, args []string) ([]string, error) {
	var after []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, after = args[:i], args[i+1:]
	}
	var rest []string
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, errors.Join(errHelped, helpCommand.run(context.Background(), env, f.topic))
		}
		if err != nil {
			return nil, usagef("%v (see 'atomrace help %s')", err, strings.Join(f.topic, " "))
		}
		if f.NArg() == 0 {
			return append(rest, after...), nil
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
}

// given reports whether the flag was on the command line.
func (f *specFlags) given(name string) bool {
	found := false
	f.Visit(func(x *flag.Flag) { found = found || x.Name == name })
	return found
}

// loadAll reads the Spec of -f, or what the files in the working directory, above
// and below it say together.
func (f *specFlags) loadAll() (*atomicity.Spec, error) {
	if f.file != "" {
		return f.load()
	}
	all, err := specsInForce(false, ".")
	if err != nil {
		return nil, err
	}
	if len(all.files) == 0 {
		return f.load() // which says what is missing
	}
	return all.spec(), nil
}

// findAll names the files in the working directory, above and below it.
func (f *specFlags) findAll() ([]string, error) {
	if f.file != "" {
		return []string{f.file}, nil
	}
	files := atomicity.Files(".")
	for _, file := range specsBelow(".") {
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		file, err := f.find() // which says what is missing
		return []string{file}, err
	}
	return files, nil
}

// load reads the Spec of -f, or the nearest one.
func (f *specFlags) load() (*atomicity.Spec, error) {
	file, err := f.find()
	if err != nil {
		return nil, err
	}
	spec, err := loadSpec(file)
	if err != nil {
		return nil, firstOf(err)
	}
	return spec, nil
}

func (f *specFlags) find() (string, error) {
	if f.file != "" {
		return f.file, nil
	}
	file, ok := atomicity.Find(".")
	if _, err := os.Stat(atomicity.FileName); !ok && err == nil {
		return atomicity.FileName, nil // outside of a module
	}
	if !ok {
		return "", fmt.Errorf("no %s here or in the directories above; run 'atomrace infer' first, or name a file with -f", atomicity.FileName)
	}
	return file, nil
}

// specRun makes the run function of a spec command from one that gets its flags
// parsed.
func specRun(run func(ctx context.Context, env *environment, args []string) error) func(context.Context, *environment, []string) error {
	return func(ctx context.Context, env *environment, args []string) error {
		err := run(ctx, env, args)
		if errors.Is(err, errHelped) {
			return nil
		}
		return err
	}
}

// printJSON prints one value, indented, with <, > and & as they are.
func printJSON(w io.Writer, value any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// readSpec reads a file that is named on the command line; - is standard input.
func readSpec(name string) (*atomicity.Spec, error) {
	if name != "-" {
		spec, err := atomicity.Load(name)
		if err != nil {
			return nil, firstOf(err)
		}
		return spec, nil
	}
	data, err := bounded(os.Stdin)
	if err != nil {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	spec, err := atomicity.Parse("standard input", data)
	if err != nil {
		return nil, firstOf(err)
	}
	return spec, nil
}

// bounded reads what may be a spec, and of anything larger no more than it takes
// for Parse to refuse it.
func bounded(r io.Reader) ([]byte, error) {
	const limit = 17 << 20 // Parse stops at 16 MiB
	return io.ReadAll(io.LimitReader(r, limit))
}

// boundedFile is bounded for a file.
func boundedFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bounded(f)
}
