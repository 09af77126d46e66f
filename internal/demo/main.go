// Command demo shows the whole of atomrace on one program of testdata/programs:
//
//	go run ./internal/demo [-runs n] [program]
//
// It infers the atomic sections, runs the instrumented program with noise until
// the first report, then compares unhealed and healed runs, and ends with one
// line that says what was found and whether the healed runs were right. It
// exits with 1 if nothing was found or a healed run was wrong. Everything it
// writes goes to a temporary directory.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/bank"
)

// noise makes the sections long enough for others to come in between.
const noise = "noise=random:200/200us"

func main() {
	runs := flag.Int("runs", 50, "how often to run the program unhealed and healed")
	flag.Parse()
	name := "pool"
	if flag.NArg() > 0 {
		name = flag.Arg(0)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := demo(ctx, name, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func demo(ctx context.Context, name string, runs int) error {
	program, err := find(name)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "atomrace-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tool, spec, binary := filepath.Join(dir, "atomrace"), filepath.Join(dir, atomicity.FileName), filepath.Join(dir, name)

	if err := run(ctx, program.Root, "go", "build", "-o", tool, "./cmd/atomrace"); err != nil {
		return err
	}
	fmt.Printf("$ atomrace infer %s\n", program.Package())
	if err := run(ctx, program.Root, tool, "infer", "-o", spec, program.Package()); err != nil {
		return err
	}
	if err := show(spec); err != nil {
		return err
	}
	fmt.Printf("$ atomrace build %s\n", program.Package())
	if err := run(ctx, program.Root, tool, "build", "-spec", spec, "-o", binary, program.Package()); err != nil {
		return err
	}

	fmt.Printf("$ ATOMRACE='%s' ./%s      # %d runs\n", noise, name, runs)
	unhealed, err := measure(ctx, program, binary, runs, noise)
	if err != nil {
		return err
	}
	if unhealed.Reported == 0 {
		return fmt.Errorf("%s: nothing was reported in %d runs", name, runs)
	}
	fmt.Print(firstReport(unhealed))
	fmt.Printf("$ ATOMRACE='%s heal=lock' ./%s      # %d runs\n", noise, name, runs)
	healed, err := measure(ctx, program, binary, runs, noise+" heal=lock")
	if err != nil {
		return err
	}
	verdict := "right"
	if healed.Outcomes[bank.OK] != runs {
		verdict = "NOT always right"
	}
	fmt.Printf("\n%s: found %s in %d of %d runs; unhealed right in %d of %d, healed %s: %d of %d\n",
		program, strings.Join(slices.Sorted(maps.Keys(unhealed.Named)), ", "), unhealed.Reported, runs,
		unhealed.Outcomes[bank.OK], runs, verdict, healed.Outcomes[bank.OK], runs)
	if healed.Outcomes[bank.OK] != runs {
		return fmt.Errorf("%s: a healed run went wrong", name)
	}
	return nil
}

// find returns the program of that name among those that break.
func find(name string) (bank.Program, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return bank.Program{}, fmt.Errorf("run this inside the repository: go list -m: %w", err)
	}
	all, err := bank.List(strings.TrimSpace(string(out)))
	if err != nil {
		return bank.Program{}, err
	}
	var names []string
	for _, p := range all {
		if p.Kind == bank.Fail && p.Name == name {
			return p, nil
		}
		if p.Kind == bank.Fail {
			names = append(names, p.Name)
		}
	}
	return bank.Program{}, fmt.Errorf("no program %q; there are %s", name, strings.Join(names, ", "))
}

func run(ctx context.Context, dir string, words ...string) error {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	return nil
}

func show(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	fmt.Printf("%s\n", text)
	return nil
}

func measure(ctx context.Context, p bank.Program, binary string, runs int, options string) (bank.Tally, error) {
	return bank.Measure(ctx, p, binary, bank.Options{Runs: runs, Env: []string{"ATOMRACE=" + options}})
}

// firstReport is the first block that a run wrote about a violation.
func firstReport(t bank.Tally) string {
	const bar = "==================\n"
	for _, outcome := range []bank.Outcome{bank.Wrong, bank.OK, bank.Crash} {
		_, rest, found := strings.Cut(t.First[outcome].Stderr, bar)
		if report, _, closed := strings.Cut(rest, bar); found && closed {
			return bar + report + bar
		}
	}
	return ""
}
