package rewrite

import (
	"os"
	"strings"
	"testing"
)

// controlledBench is the module with the programs of testdata/controlled.
func controlledBench(t *testing.T) bench {
	t.Helper()
	return benchOf(t, "testdata/controlled")
}

func (b bench) controlled(t *testing.T, readable bool) *Result {
	t.Helper()
	r, err := Rewrite(t.Context(), Options{
		Dir: b.dir, Patterns: []string{"./..."}, Control: true, Races: true, Spec: b.spec(t), Readable: readable, SchedSource: os.DirFS("../sched"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Stale {
		t.Errorf("stale: %s", s)
	}
	return r
}

// TestControlledGolden compares the readable form of each program, rewritten for
// the scheduler, with the golden file beside it.
func TestControlledGolden(t *testing.T) {
	b := controlledBench(t)
	b.compare(t, "controlled", b.controlled(t, true))
}

// TestControlledMeaning builds the programs natively and for the scheduler, and
// compares what they do with it off and on: under control there is one order of
// events that none of them depends on.
func TestControlledMeaning(t *testing.T) {
	b := controlledBench(t)
	native := b.build(t, "native", nil)
	r := b.controlled(t, false)
	for _, n := range r.Unhooked {
		if strings.HasPrefix(n.File, b.dir) && !strings.HasPrefix(n.Reason, "read before a call") && n.Section == "" {
			t.Errorf("%s:%d: %s", n.File, n.Line, n.Reason)
		}
	}
	injection, err := r.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	controlled := b.build(t, "controlled", injection)
	for _, name := range b.programs {
		want := run(t, b.command(native, name))
		for _, settings := range []string{"", "strategy=random,seed=1", "strategy=random,seed=2", "strategy=pct,seed=3", "strategy=roundrobin"} {
			t.Setenv("ATOMRACE_SCHED", settings)
			if got := run(t, b.command(controlled, name)); got != want {
				t.Errorf("%s with ATOMRACE_SCHED=%q:\n%+v\nnatively:\n%+v", name, settings, got, want)
			}
		}
	}
}
