package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/atomrace/atomrace/internal/bank"
)

// strengths are those of papers/001 Table 2, as heal has them.
var strengths = []string{
	"none", "random:50/50us", "location:1000/50us", "variable:500/50us", "variable:500/150us",
	"variable:750/50us", "variable:1000/50us", "adaptive",
}

// warmUp is how many runs with adaptive noise find the locations and variables that the
// other kinds are aimed at, as in the paper: those on which a race was seen before.
const warmUp = 5

// noises makes a table of the shape of papers/001 Table 2: races a run, and variables
// on which there was one in that run.
func noises(ctx context.Context, c *config, w *workshop, p bank.Program, out io.Writer) error {
	// Sections are left out: the paper's table is about data races.
	none := filepath.Join(w.dir, "no-sections.yaml")
	if err := command(ctx, w.tool, "infer", "-o", none, "./testdata/programs/success/channels"); err != nil {
		return err
	}
	binary, err := w.build(ctx, p, "races", "{tool}", "build", "-races", "-spec", none, "-o", "{out}", "{package}")
	if err != nil {
		return err
	}
	seen := filepath.Join(w.dir, "seen.noise")
	first := c.options
	first.Runs, first.Parallel = warmUp, 1
	first.Env = []string{"ATOMRACE=noise=adaptive noise_file=" + seen}
	if _, err := bank.Measure(ctx, p, binary, first); err != nil {
		return err
	}
	var aimed []bank.Contender
	for _, strength := range strengths {
		aimed = append(aimed, bank.Contender{Binary: binary, Env: func(round int) []string {
			env := fmt.Sprintf("ATOMRACE=noise=%s seed=%d", strength, round+1)
			if strength != "none" && strength != "adaptive" {
				env += " noise_file=" + seen
			}
			return []string{env}
		}})
	}
	row, err := bank.Alternate(ctx, p, aimed, c.options)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| noise | races a run | distinct variables a run | runs with a race | a run takes |\n|---|---:|---:|---:|---:|\n")
	for i, t := range row {
		named := 0
		for _, n := range t.Named {
			named += n
		}
		runs := float64(t.Runs)
		fmt.Fprintf(out, "| %s | %.2f | %.2f | %s | %d ms |\n", strengths[i], float64(t.Met)/runs, float64(named)/runs,
			share(t.Reported, t.Runs), t.Mean().Milliseconds())
	}
	return nil
}
