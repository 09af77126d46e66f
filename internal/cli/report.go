package cli

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/atomrace/atomrace/internal/report"
)

var reportCommand = command{
	name:    "report",
	usage:   "[-html FILE] [-json] [-suggest] [-src DIR] file...",
	summary: "render and merge what programs have reported",
	help: `Report reads the JSON lines that instrumented programs write when ATOMRACE says
log_format=json (docs/reports.md describes them), and what 'atomrace fuzz -json' has
printed. It merges what several files and
processes say about the same violation, and prints it with the source around the
accesses. The file "-" is standard input.

	-html FILE  write one self-contained page instead: time lines, source,
	            stacks, filters, and the interleavings of 'fuzz -minimise'
	-json       print the merged violations as JSON lines
	-suggest    print an atomicity.yaml with the sections that were broken
	-src DIR    where the source is (default: the module's root, or the working
	            directory); files elsewhere are not shown

A line that cannot be used, such as one cut off by a kill, is named on standard
error; everything else is rendered, and the exit status is 1.`,
	run: runReport,
}

// reportOptions are the flags of report.
type reportOptions struct {
	html, src     string
	json, suggest bool
}

func runReport(ctx context.Context, env *environment, args []string) error {
	var o reportOptions
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.html, "html", "", "")
	flags.StringVar(&o.src, "src", "", "")
	flags.BoolVar(&o.json, "json", false, "")
	flags.BoolVar(&o.suggest, "suggest", false, "")
	err := flags.Parse(args)
	ways := 0
	for _, way := range []bool{o.html != "", o.json, o.suggest} {
		if way {
			ways++
		}
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return helpCommand.run(ctx, env, []string{"report"})
	case err != nil:
		return usagef("%v (see 'atomrace help report')", err)
	case ways > 1:
		return usagef("-html, -json and -suggest exclude each other")
	case flags.NArg() == 0:
		return usagef("no file to read; ATOMRACE=\"log_format=json log_path=FILE\" makes a program write FILE.PID")
	}
	var log report.Log
	for _, name := range flags.Args() {
		log.ReadFile(name)
	}
	if len(log.Campaigns) > 0 && (o.json || o.suggest) {
		return usagef("-json and -suggest are about what programs have reported, and not about the output of 'atomrace fuzz'; leave that out")
	}
	log.Finish()
	if err := o.render(&log, env.stdout); err != nil {
		return err
	}
	for _, p := range log.Problems {
		fmt.Fprintf(env.stderr, "atomrace report: %v\n", p)
	}
	if len(log.Problems) > 0 {
		return exitError(1)
	}
	return nil
}

func (o *reportOptions) render(log *report.Log, stdout io.Writer) error {
	switch {
	case o.json:
		return log.WriteJSON(stdout)
	case o.suggest:
		return log.WriteSpec(stdout)
	}
	source, err := o.source()
	if err != nil {
		return err
	}
	if source != nil {
		defer source.Close()
		source.Shorten(log)
	}
	if o.html != "" {
		return writeWhole(o.html, func(w io.Writer) error { return log.WriteHTML(w, source) })
	}
	return log.WriteText(stdout, source)
}

// source opens the directory of the source; none is no error unless it was
// asked for.
func (o *reportOptions) source() (*report.Source, error) {
	dir := o.src
	if dir == "" {
		var err error
		if dir, err = moduleRoot(""); err != nil || dir == "" {
			dir = "."
		}
	}
	source, err := report.OpenSource(dir)
	if err != nil && o.src != "" {
		return nil, fmt.Errorf("-src: %w", err)
	}
	if err != nil {
		return nil, nil
	}
	return source, nil
}

// writeWhole writes a file of its own beside name and renames it, so that name is
// whole or as it was.
func writeWhole(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	b := bufio.NewWriter(f)
	if err = errors.Join(write(b), b.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
