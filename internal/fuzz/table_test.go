package fuzz

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/atomrace/atomrace/sched"
)

var tableRuns = flag.Int("tableruns", 30, "runs for each pair in TestTable1; docs/racefuzzer.md has those of 1000")

// table1 is what phase 1 must name in the programs of papers/000, and what of it phase 2
// must bring about.
var table1 = []struct {
	test             string
	candidates, real int
	harmful          int     // real pairs under which the test fails
	share            float64 // of the runs in which the worst of these does, ± 0.15; 0 is any
}{
	{"TestFigure1", 2, 1, 1, 0.5},
	{"TestFigure2", 1, 1, 1, 0.5},
	{"TestFigure2Long", 1, 1, 1, 0.5},
	{"TestCache", 2, 2, 0, 0},
	{"TestCrawler", 2, 2, 2, 0},
	{"TestRelaxation", 1, 0, 0, 0},
	{"TestCollections", 4, 4, 4, 0},
}

// Both phases over the programs of papers/000 as a user has them: rewritten, built, and
// run in processes of their own. Each real pair is brought about in nearly every run,
// and what is none in no run.
func TestTable1(t *testing.T) {
	const pattern = "./testdata/racefuzzer"
	cache := t.TempDir()
	program := buildControlled(t, cache, pattern, "TestFigure1")
	native := filepath.Join(t.TempDir(), "native")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", native, pattern)
	build.Dir = filepath.Join("..", "..")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, want := range table1 {
		if testing.Short() && want.candidates > 2 {
			continue // the most pairs, and each has runs of its own
		}
		p := program
		p.Test, p.Args = want.test, []string{"-test.run=^" + want.test + "$", "-test.timeout=0"}
		c := &Campaign{Program: p, Seed: 1, Runs: *tableRuns, Jobs: 2, Timeout: time.Minute,
			Options: sched.Options{Limit: 1_000_000, Patience: 10 * time.Second}}
		found, err := c.First(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		times := [3]time.Duration{c.mean(t, native, sched.Options{}), c.mean(t, p.Path, sched.Options{Strategy: "random", Hybrid: true})}
		realPairs, harmful, worst, share, failed := 0, 0, 1.0, 1.0, 0
		for _, pair := range found.Pairs {
			d := *c
			d.Options.Strategy, d.Options.Pair, d.Options.Delay = "race", pair.Locations(), pair.Delay
			times[2] += d.mean(t, p.Path, d.Options) / time.Duration(len(found.Pairs))
			if pair.Tally, err = d.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if hit := float64(pair.Real()) / float64(*tableRuns); hit > 0 {
				realPairs++
				worst = min(worst, hit)
				if n := pair.Tally.Failures(); n > 0 {
					harmful++
					failed += n
					share = min(share, float64(n)/float64(*tableRuns))
				}
			}
		}
		simple := *c
		simple.Options.Strategy, simple.Options.NoAccess = "random", true
		walk, err := simple.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Pairs) != want.candidates || realPairs != want.real || harmful != want.harmful || worst < 0.95 {
			t.Errorf("%s: %d candidates, %d real, %d harmful, the worst in %.2f of the runs; want %d, %d, %d, 0.95",
				want.test, len(found.Pairs), realPairs, harmful, worst, want.candidates, want.real, want.harmful)
		}
		if want.share > 0 && (share < want.share-0.15 || share > want.share+0.15) {
			t.Errorf("%s: fails in %.2f of the runs, want %.2f", want.test, share, want.share)
		}
		ratio := func(i int) string {
			return fmt.Sprintf("%.1f ms, %.1f×", float64(times[i])/1e6, float64(times[i])/float64(times[0]))
		}
		probability, fails := "", ""
		if realPairs > 0 {
			probability = fmt.Sprintf("%.3f", worst)
		}
		if harmful > 0 {
			fails = fmt.Sprintf("%.3f", share)
		}
		t.Logf("| %s | %.1f ms | %s | %s | %d | %d | %d | %s | %s | %d |", want.test[4:], float64(times[0])/1e6, ratio(1), ratio(2),
			len(found.Pairs), realPairs, harmful, probability, fails, walk.Failures())
	}
}

// mean is how long a run takes, with its process: the mean of some seeds, at most twenty.
func (c *Campaign) mean(t *testing.T, path string, o sched.Options) time.Duration {
	t.Helper()
	runs := max(5, min(20, *tableRuns/5))
	p, sum := c.Program, time.Duration(0)
	p.Path = path
	for seed := range uint64(runs) {
		o.Seed, o.Patience = seed, 10*time.Second
		r, err := p.Run(t.Context(), t.TempDir(), o, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		sum += r.Elapsed
	}
	return sum / time.Duration(runs)
}
