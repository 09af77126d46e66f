package fuzz

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/sched"
)

// someRuns are runs of every kind, as a campaign has them.
func someRuns() []*Run {
	var runs []*Run
	for seed := range uint64(40) {
		r := &Run{Options: sched.Options{Seed: seed, Strategy: "random"}}
		r.Record = sched.Result{Outcome: sched.OutcomeDone, Decisions: 10 + seed, Hash: fmt.Sprint("h", seed%7)}
		switch seed % 5 {
		case 1:
			r.ExitCode = 1
			r.Output = fmt.Appendf(nil, "--- FAIL: TestX (0.00s)\n    x_test.go:%d: got %d\nFAIL\n", 10+seed%2, seed)
		case 2:
			r.ExitCode, r.Record.Outcome = sched.ExitDeadlock, sched.OutcomeDeadlock
			r.Record.Message = fmt.Sprintf("deadlock after %d decisions: all goroutines wait\n  goroutine %d waits at x.go:7: lock mutex 1", seed, seed%3)
		case 3:
			r.ExitCode = 2
			r.Output = fmt.Appendf(nil, "panic: index out of range [%d] [recovered, repanicked]\n\ngoroutine 1:\n", seed)
			r.Record.Races = []sched.Race{{Pair: sched.Pair{First: sched.Side{Location: "x.go:1:2"}, Second: sched.Side{Location: "x.go:3:4"}}}}
			if seed == 8 { // the write of an x++, too
				r.Record.Races = append(r.Record.Races, r.Record.Races[0])
				r.Record.Races[1].First.Write = true
			}
			r.Record.Violations = []sched.Violation{{Section: "p.s", Before: sched.Side{Location: "x.go:1:2"},
				Foreign: sched.Side{Location: fmt.Sprintf("x.go:%d:1", 3+seed%2), Write: true}, After: sched.Side{Location: "x.go:2:2", Write: true}}}
		case 4:
			r.Record.Waiting = []sched.Waiting{{Goroutine: 3, Operation: "receive channel 1", Location: "x.go:9"}}
		}
		runs = append(runs, r)
	}
	return runs
}

func tallied(runs []*Run) *Tally {
	t := newTally()
	for _, r := range runs {
		t.add(r)
	}
	return t
}

// TestTallyOrder checks that what is told depends neither on the order in which
// runs end nor on how they are split into parts.
func TestTallyOrder(t *testing.T) {
	runs := someRuns()
	want := tallied(runs)
	if n := len(want.Findings); n != 5 {
		t.Errorf("%d findings, want one deadlock, one panic, two failed tests by their lines and one leak", n)
	}
	if len(want.Breaches) != 2 || want.Broken != 8 || want.Breaches[0].Runs+want.Breaches[1].Runs != 8 {
		t.Errorf("broken in %d runs: %+v; want 8 in two ways", want.Broken, want.Breaches)
	}
	if len(want.Races) != 1 || want.Races[0].Runs != 8 {
		t.Errorf("races: %+v; want one, in 8 runs", want.Races)
	}
	for _, f := range want.Findings {
		for i, s := range f.Seeds {
			if i > 0 && s.Seed <= f.Seeds[i-1].Seed {
				t.Errorf("%s: seeds %v", f.Kind, f.Seeds)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		if got := tallied(runs); !reflect.DeepEqual(got, want) {
			t.Fatalf("another order: %s\nwant %s", text(got), text(want))
		}
		cut := random.IntN(len(runs))
		parts := tallied(runs[:cut])
		parts.merge(tallied(runs[cut:]))
		parts.Schedules = want.Schedules // counted for each part alone
		if text(parts) != text(want) {
			t.Fatalf("in two parts: %s\nwant %s", text(parts), text(want))
		}
	}
}

func text(t *Tally) string {
	b, err := json.Marshal(t)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestShares checks that the parts of a campaign have each seed once.
func TestShares(t *testing.T) {
	for _, runs := range []int{1, 7, 12} {
		for parts := 1; parts < 6; parts++ {
			seen := map[uint64]int{}
			for part := 1; part <= parts; part++ {
				g := &gathering{campaign: &Campaign{Seed: 100, Runs: runs, Part: part, Parts: parts}}
				for {
					seed, ok := g.next(t.Context())
					if !ok {
						break
					}
					seen[seed]++
				}
			}
			for seed := range uint64(runs) {
				if seen[100+seed] != 1 || len(seen) != runs {
					t.Errorf("%d runs in %d parts: %v", runs, parts, seen)
				}
			}
		}
	}
}

func TestFailure(t *testing.T) {
	for _, c := range []struct {
		run           Run
		kind, message string
	}{
		{Run{}, "", ""},
		{Run{ExitCode: 3}, KindExit, "status 3"},
		{Run{ExitCode: 2, Output: []byte("x\nfatal error: concurrent map writes\n")}, KindFatal, "concurrent map writes"},
		{Run{ExitCode: 1, Output: []byte("--- FAIL: TestX (0.00s)\nFAIL\n")}, KindTest, ""},
		{Run{ExitCode: 1, Output: []byte("WARNING: DATA RACE\n--- FAIL: TestX\n")}, KindRace, "reported by Go's race detector"},
		{Run{ExitCode: -1, Stopped: true, Elapsed: 2e9}, KindTimeout, "still running after 2s"},
		{Run{ExitCode: sched.ExitLimit, Record: sched.Result{Outcome: sched.OutcomeLimit, Decisions: 5}}, KindLimit, "still running after 5 decisions"},
	} {
		if kind, message := c.run.failure(); kind != c.kind || message != c.message {
			t.Errorf("%+v: %q %q, want %q %q", c.run, kind, message, c.kind, c.message)
		}
	}
}

func TestToken(t *testing.T) {
	seed, code, hash, err := ParseToken(Token(Seed{17, "0123456789abcdef"}, "fedcba9876543210"))
	if seed != 17 || code != "fedcba98" || hash != "01234567" || err != nil {
		t.Error(seed, code, hash, err)
	}
	if seed, code, hash, err := ParseToken("5"); seed != 5 || code+hash != "" || err != nil {
		t.Error(seed, code, hash, err)
	}
	if _, _, _, err := ParseToken("x@y"); err == nil {
		t.Error("no error")
	}
}

func TestParsePairs(t *testing.T) {
	race := `==================
WARNING: DATA RACE
Write at 0x00c0000a4010 by goroutine 8:
  example.com/x.add()
      /src/x.go:12 +0x33

Previous read at 0x00c0000a4010 by goroutine 7:
  example.com/x.get()
      /src/y.go:9 +0x44
  example.com/x.main()
      /src/y.go:30 +0x44

Goroutine 8 (running) created at:
  example.com/x.main()
      /src/x.go:40 +0x55
==================
`
	for _, c := range []struct {
		text string
		want [][2]string
	}{
		{"# comment\n\na.go:1 b/c.go:2:3\n", [][2]string{{"a.go:1", "b/c.go:2:3"}}},
		{race + race, [][2]string{{"/src/x.go:12", "/src/y.go:9"}}},
		{"", nil},
		{"a.go:1\n", nil},
		{"a.go b.go:1\n", nil},
		{"WARNING: DATA RACE\n", nil},
	} {
		got, err := ParsePairs("pairs", c.text)
		if !reflect.DeepEqual(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%q: %v %v, want %v", c.text, got, err, c.want)
		}
	}
}

// A test that fails because time passed while a goroutine was held back, for nothing,
// says so, and is no failure.
func TestHeldUp(t *testing.T) {
	failed := Run{Options: sched.Options{Strategy: StrategyAtomicity}, ExitCode: 1, Output: []byte("--- FAIL: TestX (0.00s)\n    x_test.go:7: 3 s late\nFAIL\n")}
	held, other, broken, random, panics := failed, failed, failed, failed, failed
	held.Record.Leaps = 2
	other.Record.Leaps, other.Output = 3, []byte("--- FAIL: TestX (0.00s)\n    x_test.go:7: 4 s late\nFAIL\n")
	broken.Record = sched.Result{Leaps: 2, Violations: []sched.Violation{{Section: "p.s"}}}
	random.Options.Strategy, random.Record.Leaps = "random", 2
	panics.Record.Leaps, panics.Output = 2, []byte("panic: late\n")
	for _, c := range []struct {
		name string
		run  Run
		want string
	}{
		{"no time passed", failed, KindTest}, {"held up", held, KindHeld}, {"broken", broken, KindTest},
		{"another strategy", random, KindTest}, {"a panic", panics, KindPanic},
	} {
		tally := tallied([]*Run{&c.run})
		r := &Report{Strategy: StrategyAtomicity, Targets: []*Target{{Sections: []*Section{{Tally: tally}}}}}
		if len(tally.Findings) != 1 || tally.Findings[0].Kind != c.want || r.Failed(true) != (c.want != KindHeld) {
			t.Errorf("%s: %s", c.name, text(tally))
		}
	}
	if both := tallied([]*Run{&held, &other}); len(both.Findings) != 1 || both.Failures() != 0 || both.Findings[0].Message != "test failed: x_test.go:7: 3 s late" {
		t.Errorf("twice: %s", text(both))
	}
}

// A report that was interrupted says so, and is no part of a whole.
func TestInterrupted(t *testing.T) {
	r := NewReport()
	r.Targets, r.Interrupted = []*Target{{Test: "TestX", Tally: tallied(someRuns())}}, true
	if whole, err := Merge([]string{"whole"}, []*Report{r}); err != nil || !strings.Contains(whole.Text(), "\ninterrupted: ") {
		t.Error(whole, err)
	}
	r.Part, r.Parts = 1, 2
	if _, err := Merge([]string{"part1"}, []*Report{r}); err == nil || err.Error() != "part1: part 1 of 2 was interrupted; run it again" {
		t.Error(err)
	}
}

// A replay has the test's own arguments, and the subtests that were chosen.
func TestReplayCommand(t *testing.T) {
	r := &Report{Strategy: "pos", Code: "abc", Command: " .", Subtests: "/one two", Args: " -args -n 3"}
	for test, want := range map[string]string{
		"TestX": "atomrace replay -seed 5@abc-h -strategy pos . -run '^TestX$/one two' -args -n 3",
		"":      "atomrace replay -seed 5@abc-h -strategy pos . -args -n 3",
	} {
		if got := r.replay(&Target{Test: test}, Seed{5, "h"}, ""); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
