package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/atomrace/atomrace/internal/bank"
)

// quickExit spares us the second that the race detector waits at the end of a program.
const quickExit = "GORACE=atexit_sleep_ms=0"

// sums are those of the last rows.
type sums struct{ runs, wrong, raced, first, second int }

func (s *sums) add(plain, race, first, second bank.Tally) {
	s.runs += plain.Runs
	s.wrong += bad(plain)
	s.raced += race.Raced
	s.first += first.Reported
	s.second += second.Reported
}

// bad counts the runs that did not end well.
func bad(t bank.Tally) int { return t.Runs - t.Outcomes[bank.OK] }

// detection runs each program as it is, under Go's race detector, and twice with
// adaptive noise: with no knowledge, and with what the noise has learnt in that run.
func detection(ctx context.Context, c *config, w *workshop, programs []bank.Program, out io.Writer) error {
	fmt.Fprintf(out, "| program | data race | plain: wrong | -race: reported | adaptive noise, first run: reported | second run: reported | a run takes, plain / -race / noise | variables |\n")
	fmt.Fprintf(out, "|---|---|---:|---:|---:|---:|---:|---|\n")
	var invisible, races sums
	var failed []error
	for _, p := range programs {
		row, err := w.row(ctx, c, p)
		if err != nil {
			return err
		}
		plain, race, first, second := row[0], row[1], row[2], row[3]
		kind, of := "no", &invisible
		if p.Racy() {
			kind, of = "yes", &races
		} else if race.Raced > 0 {
			failed = append(failed, fmt.Errorf("%s: the race detector reported a race in %d of %d runs, and there is to be none", p, race.Raced, race.Runs))
		}
		of.add(plain, race, first, second)
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %d / %d / %d ms | %s |\n", p, kind, share(bad(plain), plain.Runs),
			share(race.Raced, race.Runs), share(first.Reported, first.Runs), share(second.Reported, second.Runs),
			plain.Mean().Milliseconds(), race.Mean().Milliseconds(), first.Mean().Milliseconds(), first.Variables())
	}
	for _, s := range []struct {
		name string
		sums
	}{{"without a data race", invisible}, {"with one", races}} {
		if s.runs > 0 {
			fmt.Fprintf(out, "| **%s** | | %s | %s | %s | %s | | |\n", s.name, share(s.wrong, s.runs), share(s.raced, s.runs), share(s.first, s.runs), share(s.second, s.runs))
		}
	}
	if got, runs := invisible.first+races.first, invisible.runs+races.runs; got*100 < c.bar*runs {
		failed = append(failed, fmt.Errorf("%d of %d first runs reported something; the bar is %d %%", got, runs, c.bar))
	}
	return errors.Join(failed...)
}

// row runs one program in the four ways.
func (w *workshop) row(ctx context.Context, c *config, p bank.Program) ([]bank.Tally, error) {
	plain, err := w.build(ctx, p, "plain", "go", "build", "-o", "{out}", "{package}")
	if err != nil {
		return nil, err
	}
	race, err := w.build(ctx, p, "race", "go", "build", "-race", "-o", "{out}", "{package}")
	if err != nil {
		return nil, err
	}
	hooked, err := w.build(ctx, p, "hooked", "{tool}", "build", "-races", "-spec", "{spec}", "-o", "{out}", "{package}")
	if err != nil {
		return nil, err
	}
	noisy := func(round int) []string {
		file := filepath.Join(w.dir, fmt.Sprintf("%s-%d.noise", p.Name, round))
		return []string{fmt.Sprintf("ATOMRACE=noise=adaptive noise_file=%s seed=%d", file, round+1)}
	}
	row, err := bank.Alternate(ctx, p, []bank.Contender{
		{Binary: plain}, {Binary: race, Env: always(quickExit)}, {Binary: hooked, Env: noisy}, {Binary: hooked, Env: noisy},
	}, c.options)
	for _, binary := range []string{plain, race, hooked} {
		os.Remove(binary) // early, since there are many and they are large
	}
	return row, err
}

func always(env ...string) func(int) []string { return func(int) []string { return env } }

func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d %%", (100*n+of/2)/of)
}
