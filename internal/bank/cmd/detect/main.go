// Detect makes the tables of docs/detection.md: how surely one run finds what is broken
// in the programs of testdata/programs/detect, how they and those of
// testdata/programs/fail fare healed, and what each kind of noise does to fail/echo.
//
// Run it in the root of the repository:
//
//	go run ./internal/bank/cmd/detect [-n runs] [flags] [program…]             # detection
//	go run ./internal/bank/cmd/detect -healing [-n runs] [flags] [program…]
//	go run ./internal/bank/cmd/detect -echo [-n runs] [flags]
//
// It exits with status 1 if something could not be built or run or a bar is missed,
// and 2 if the command line is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"github.com/atomrace/atomrace/internal/bank"
)

// config is the command line.
type config struct {
	options  bank.Options
	healing  bool
	echo     bool
	bar      int // per cent of the runs that must report, of all programs together
	noise    string
	tool     string
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
		fmt.Fprintln(os.Stderr, "detect:", err)
		os.Exit(2)
	}
	if err := run(ctx, c, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "detect:", err)
		os.Exit(1)
	}
}

func parse(args []string, usage io.Writer) (*config, error) {
	c := new(config)
	flags := flag.NewFlagSet("detect", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVar(&c.options.Runs, "n", 100, "`rounds` of each program")
	flags.IntVar(&c.options.Parallel, "parallel", 0, "`rounds` at a time (default: the number of processors)")
	flags.DurationVar(&c.options.Timeout, "timeout", bank.DefaultTimeout, "of one run")
	flags.BoolVar(&c.healing, "healing", false, "make the table about healing")
	flags.BoolVar(&c.echo, "echo", false, "make the table about the noise on fail/echo")
	flags.IntVar(&c.bar, "bar", 95, "`per cent` of the first runs that must report something")
	flags.StringVar(&c.noise, "noise", "random:100/100us", "`noise` of the table about healing")
	flags.StringVar(&c.tool, "tool", "", "`file` of the atomrace command (default: built for the purpose)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(usage, "usage: detect [-healing | -echo] [flags] [program…]")
			flags.SetOutput(usage)
			flags.PrintDefaults()
		}
		return nil, err
	}
	c.programs = flags.Args()
	switch {
	case c.options.Runs < 1:
		return nil, fmt.Errorf("-n %d: at least one round is needed", c.options.Runs)
	case c.healing && c.echo:
		return nil, errors.New("-healing and -echo make two tables; give one of them")
	case c.echo && len(c.programs) > 0:
		return nil, errors.New("-echo is about fail/echo alone; name no program")
	}
	return c, nil
}

func run(ctx context.Context, c *config, out io.Writer) error {
	all, err := bank.List(".")
	if err != nil {
		return fmt.Errorf("%w; run me in the root of the repository", err)
	}
	dir, err := os.MkdirTemp("", "detect")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := &workshop{dir: dir, tool: c.tool}
	if w.tool == "" {
		w.tool = filepath.Join(dir, "atomrace")
		if err := command(ctx, "go", "build", "-o", w.tool, "./cmd/atomrace"); err != nil {
			return err
		}
	}
	programs := c.programs
	switch {
	case c.echo:
		programs = []string{"fail/echo"}
	case len(programs) == 0 && c.healing:
		programs = []string{"fail", "detect"}
	case len(programs) == 0:
		programs = []string{"detect"}
	}
	chosen, err := bank.Select(all, programs)
	if err != nil {
		return err
	}
	if err := w.infer(ctx, chosen); err != nil {
		return err
	}
	switch {
	case c.echo:
		return noises(ctx, c, w, chosen[0], out)
	case c.healing:
		return healing(ctx, c, w, chosen, out, os.Stderr)
	}
	return detection(ctx, c, w, chosen, out)
}

// workshop is where programs are built.
type workshop struct {
	dir  string
	tool string
	spec string // what was inferred in the programs, all of it in force
}

// infer writes the sections of the programs. Nobody has judged them: what the tables
// say is what one gets without an atomicity.yaml.
func (w *workshop) infer(ctx context.Context, programs []bank.Program) error {
	w.spec = filepath.Join(w.dir, "inferred.yaml")
	words := []string{w.tool, "infer", "-o", w.spec}
	for _, p := range programs {
		words = append(words, p.Package())
	}
	return command(ctx, words...)
}

// build builds the program by the words, in which {out}, {package} and {spec} are
// replaced, and returns the binary.
func (w *workshop) build(ctx context.Context, p bank.Program, name string, words ...string) (binary string, err error) {
	for i, word := range words {
		switch word {
		case "{tool}":
			words[i] = w.tool
		case "{spec}":
			words[i] = w.spec
		}
	}
	binary = filepath.Join(w.dir, string(p.Kind)+"-"+p.Name+"-"+name)
	return binary, bank.Command(words...)(ctx, p, binary)
}

func command(ctx context.Context, words ...string) error {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", words[0], err, out)
	}
	return nil
}
