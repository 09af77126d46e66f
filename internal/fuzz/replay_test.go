package fuzz

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/atomrace/atomrace/rewrite"
	"github.com/atomrace/atomrace/sched"
)

// How much TestReplay does: little in CI. docs/fuzz.md has the command for more.
var (
	replaySeeds = flag.Int("replayseeds", 3, "failing seeds for each program in TestReplay")
	replayRace  = flag.Bool("replayrace", false, "TestReplay: one of the five replays is that of a build with -race")
	replayOnly  = flag.String("replayonly", "^(Figure2|Collections|echo)$", "the programs of TestReplay")
)

// replayed are programs that fail under some schedules.
var replayed = []struct{ name, pattern, test string }{
	{"Figure1", "./testdata/racefuzzer", "TestFigure1"},
	{"Figure2", "./testdata/racefuzzer", "TestFigure2"},
	{"Crawler", "./testdata/racefuzzer", "TestCrawler"},
	{"Collections", "./testdata/racefuzzer", "TestCollections"},
	{"bank", "./testdata/programs/fail/bank", ""},
	{"capture", "./testdata/programs/fail/capture", ""},
	{"crawler", "./testdata/programs/fail/crawler", ""},
	{"doubleclose", "./testdata/programs/fail/doubleclose", ""},
	{"echo", "./testdata/programs/fail/echo", ""},
	{"getset", "./testdata/programs/fail/getset", ""},
	{"httptest", "./testdata/httptest", "TestVisits"},
	{"lazyinit", "./testdata/programs/fail/lazyinit", ""},
	{"lazymap", "./testdata/programs/fail/lazymap", ""},
	{"mapcount", "./testdata/programs/fail/mapcount", ""},
	{"pool", "./testdata/programs/fail/pool", ""},
	{"rlockupgrade", "./testdata/programs/fail/rlockupgrade", ""},
}

// A run that failed is had again by its seed: the same schedule step by step and the
// same outcome, in processes with other numbers of processors, another garbage
// collector, and the race detector.
func TestReplay(t *testing.T) {
	only := regexp.MustCompile(*replayOnly)
	cache := t.TempDir()
	for _, p := range replayed {
		if !only.MatchString(p.name) || testing.Short() && p.name == "Collections" {
			continue
		}
		plain := buildControlled(t, cache, p.pattern, p.test)
		variants := []struct {
			name    string
			program Program
		}{{"GOMAXPROCS=1", plain}, {"GOMAXPROCS=2", plain}, {"GOMAXPROCS=8", plain}, {"GOGC=5", plain}, {"GOMAXPROCS=8", plain}}
		for i := range variants {
			variants[i].program.Env = []string{variants[i].name}
		}
		if *replayRace {
			variants[4].name, variants[4].program = "-race", buildControlled(t, cache, p.pattern, p.test, "-race")
		}
		start := time.Now()
		var jobs sync.WaitGroup
		var mu sync.Mutex
		next, failing, decisions, different := uint64(0), 0, uint64(0), 0
		for range 2 {
			dir := t.TempDir()
			jobs.Go(func() {
				for {
					mu.Lock()
					next++
					seed, enough := next, failing >= *replaySeeds || next > 50*uint64(*replaySeeds)+100
					mu.Unlock()
					if enough {
						return
					}
					first := failingRun(t, &plain, dir, seed)
					if first == nil {
						continue
					}
					mu.Lock()
					if failing == *replaySeeds {
						mu.Unlock()
						return
					}
					failing++
					decisions += first.Record.Decisions
					mu.Unlock()
					for _, v := range variants {
						again := controlledRun(t, &v.program, dir, seed)
						if how := difference(first, again); how != "" {
							t.Errorf("%s, seed %d, %s: %s", p.name, seed, v.name, how)
							mu.Lock()
							different++
							mu.Unlock()
						}
					}
				}
			})
		}
		jobs.Wait()
		if failing < *replaySeeds {
			t.Errorf("%s: %d seeds of the first %d fail, want %d", p.name, failing, next, *replaySeeds)
			continue
		}
		t.Logf("| %s | %d | %d | %d | %d | %v |", p.name, failing, decisions/uint64(failing), failing*len(variants), different, time.Since(start).Round(time.Second))
	}
}

// failingRun is the run with the seed, nil if it does not fail.
func failingRun(t *testing.T, p *Program, dir string, seed uint64) *Run {
	r := controlledRun(t, p, dir, seed)
	if kind, _ := r.failure(); kind == "" || kind == KindTimeout {
		return nil
	}
	return r
}

func controlledRun(t *testing.T, p *Program, dir string, seed uint64) *Run {
	// The watchdog must not take a slow moment of a busy machine for a wait.
	o := sched.Options{Seed: seed, Strategy: StrategyOf(Mixed, seed), Limit: 5_000_000, Patience: 10 * time.Second}
	r, err := p.Run(context.Background(), dir, o, 2*time.Minute)
	if err != nil {
		t.Error(err)
		return &Run{}
	}
	return r
}

var detectorReport = regexp.MustCompile(`(?s)==================\nWARNING: DATA RACE.*?==================\n`)

// difference says in what the runs differ, empty if in nothing. What the race detector
// has printed is its own.
func difference(a, b *Run) string {
	plain := *b
	plain.Output = detectorReport.ReplaceAll(b.Output, nil)
	kind, message := a.failure()
	kind2, message2 := plain.failure()
	switch {
	case !reflect.DeepEqual(a.Record, b.Record):
		return fmt.Sprintf("%s %d decisions, %s; first %s %d decisions, %s", b.Record.Outcome, b.Record.Decisions, b.Record.Hash, a.Record.Outcome, a.Record.Decisions, a.Record.Hash)
	case kind != kind2 || message != message2 || a.ExitCode != b.ExitCode:
		return fmt.Sprintf("%s: %s (%d), first %s: %s (%d)", kind2, message2, b.ExitCode, kind, message, a.ExitCode)
	}
	return ""
}

// buildControlled builds a package of this module for the scheduler: its test, or the
// program if test is empty.
func buildControlled(t *testing.T, cache, pattern, test string, flags ...string) Program {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	result, err := rewrite.Rewrite(t.Context(), rewrite.Options{
		Dir: root, Patterns: []string{pattern}, Tests: test != "", BuildFlags: flags, Races: true, Control: true,
		SchedSource: os.DirFS(filepath.Join(root, "sched")), Cache: cache,
	})
	if err != nil {
		t.Fatal(err)
	}
	injection, err := result.Install(cache)
	if err != nil {
		t.Fatal(err)
	}
	p := Program{Path: filepath.Join(t.TempDir(), "program"), Dir: root, Test: test, Prefixes: []string{root}}
	args := []string{"build"}
	if test != "" {
		args = []string{"test", "-c", "-vet=off"}
		p.Dir, p.Args = filepath.Join(root, pattern), []string{"-test.run=^" + test + "$", "-test.timeout=0"}
	}
	args = append(append(append(args, injection.Flags()...), flags...), "-o", p.Path, pattern)
	cmd := exec.Command(injection.Go, args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), injection.Env()...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}
