// Bank builds the programs of testdata/programs, runs each many times and
// prints a table of what their oracles and the detector said.
//
// Run it in the root of the repository:
//
//	go run ./internal/bank/cmd/bank [flags] [program…]
//
// A program is "fail", "success", "fail/bank", "bank" or a pattern like
// "fail/lazy*"; without one, all are run. For instance, a hundred runs of the
// broken programs with noise, unhealed and healed:
//
//	go run ./internal/bank/cmd/bank -n 100 -env 'noise=random:50/50us' fail
//	go run ./internal/bank/cmd/bank -n 100 -env 'noise=random:50/50us' -heal lock fail
//
// It exits with status 1 if something could not be built or run, or if -require
// was not met, and 2 if the command line is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/atomrace/atomrace/internal/bank"
)

// config is the command line.
type config struct {
	options  bank.Options
	builder  bank.Builder
	require  bank.Requirement
	again    int
	binaries string // where built programs stay and are found again, or ""
	markdown bool
	verbose  bool
	programs []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bank:", err)
		os.Exit(2)
	}
	if err := run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "bank:", err)
		os.Exit(1)
	}
}

func parse(args []string, usage io.Writer) (*config, error) {
	c := new(config)
	flags := flag.NewFlagSet("bank", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVar(&c.options.Runs, "n", 100, "`runs` of each program")
	flags.IntVar(&c.options.Parallel, "parallel", 0, "`runs` at a time (default: the number of processors)")
	flags.DurationVar(&c.options.Timeout, "timeout", bank.DefaultTimeout, "of one run")
	env := flags.String("env", "", "`value` of ATOMRACE for the runs")
	heal := flags.String("heal", "", "healing `policy`, added to ATOMRACE: off, auto, yield or lock")
	builder := flags.String("builder", "atomrace",
		"plain, race, atomrace, races, or a `command` with the words {out} and {package}")
	require := flags.String("require", "",
		"`bounds` to be met by every program, for instance reported>=99%,wrong<=0")
	flags.IntVar(&c.again, "again", 0,
		"measure a program that missed a bound in per cent once more, with that many `runs`, and judge it by these")
	flags.StringVar(&c.binaries, "binaries", "",
		"`directory` in which what is built stays; what is there already is not built again (one for each -builder)")
	flags.BoolVar(&c.markdown, "markdown", false, "print a Markdown table")
	flags.BoolVar(&c.verbose, "v", false, "show the first run that was wrong, crashed or hung, of each program")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(usage, "usage: bank [flags] [program…]")
			flags.SetOutput(usage)
			flags.PrintDefaults()
		}
		return nil, err
	}
	if c.options.Runs < 1 {
		return nil, fmt.Errorf("-n %d: at least one run is needed", c.options.Runs)
	}
	if *heal != "" {
		*env = strings.TrimSpace(*env + " heal=" + *heal)
	}
	if c.again < 0 {
		return nil, fmt.Errorf("-again %d: no number of runs", c.again)
	}
	c.options.Env = []string{"ATOMRACE=" + *env}
	c.programs = flags.Args()
	var err error
	if c.builder, err = bank.ParseBuilder(*builder); err != nil {
		return nil, err
	}
	c.require, err = bank.ParseRequirement(*require)
	return c, err
}

func run(ctx context.Context, c *config) error {
	all, err := bank.List(".")
	if err != nil {
		return fmt.Errorf("%w; run me in the root of the repository", err)
	}
	chosen, err := bank.Select(all, c.programs)
	if err != nil {
		return err
	}
	dir := c.binaries
	if dir == "" {
		if dir, err = os.MkdirTemp("", "bank"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("-binaries: %w", err)
	}

	var tallies []bank.Tally
	var unmet []error
	for _, p := range chosen {
		binary := filepath.Join(dir, string(p.Kind)+"-"+p.Name)
		if _, err := os.Stat(binary); err != nil {
			if err := c.builder(ctx, p, binary); err != nil {
				return err
			}
		}
		t, err := bank.Measure(ctx, p, binary, c.options)
		if err != nil {
			return err
		}
		err = c.require.Check(t)
		if u := (*bank.Unmet)(nil); errors.As(err, &u) && u.Share && c.again > 0 {
			fmt.Fprintf(os.Stderr, "bank: %v; again, with %d runs\n", u, c.again)
			more := c.options
			more.Runs = c.again
			if t, err = bank.Measure(ctx, p, binary, more); err != nil {
				return err
			}
			err = c.require.Check(t)
		}
		unmet = append(unmet, err)
		if c.binaries == "" {
			os.Remove(binary) // early, since there are many and they are large
		}
		if c.verbose {
			show(os.Stderr, t)
		}
		tallies = append(tallies, t)
	}
	write := bank.WriteText
	if c.markdown {
		write = bank.WriteMarkdown
	}
	if err := write(os.Stdout, tallies); err != nil {
		return err
	}
	return errors.Join(unmet...)
}

// show prints the first run of every bad outcome.
func show(w io.Writer, t bank.Tally) {
	fmt.Fprintf(w, "%s: %v a run\n", t.Program, t.Mean())
	for _, o := range []bank.Outcome{bank.Wrong, bank.Crash, bank.Timeout} {
		if r, ok := t.First[o]; ok {
			fmt.Fprintf(w, "%s: %s: %s\n%s", t.Program, o, r.Detail, r.Stderr)
		}
	}
}
