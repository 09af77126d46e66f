package sched_test

import (
	"fmt"
	"testing"

	"github.com/atomrace/atomrace/sched"
)

// run runs f under control and fails the test if that is not possible.
func run(t testing.TB, o sched.Options, f func()) sched.Result {
	t.Helper()
	result, err := sched.Run(o, f)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// strategies are options of all strategies that decide by themselves.
var strategies = []sched.Options{
	{Strategy: "random"},
	{Strategy: "pct", Depth: 3, Length: 100},
	{Strategy: "pos"},
	{Strategy: "roundrobin"},
	{Strategy: "atomicity"},
	{Strategy: "race", Pair: [2]string{"figure.go:1", "figure.go:2"}},
}

// everywhere runs f under all strategies with many seeds and calls check with the
// results.
func everywhere(t *testing.T, seeds int, f func(), check func(t *testing.T, r sched.Result)) {
	for _, o := range strategies {
		t.Run(o.Strategy, func(t *testing.T) {
			for seed := range seeds {
				o.Seed = uint64(seed)
				check(t, run(t, o, f))
				if t.Failed() {
					t.Fatalf("with %v", o)
				}
			}
		})
	}
}

// done fails the test if the program did not return.
func done(t *testing.T, r sched.Result) {
	t.Helper()
	if r.Outcome != sched.OutcomeDone {
		t.Errorf("outcome %s: %s", r.Outcome, r.Message)
	}
	if r.Uncontrolled != "" {
		t.Error(r.Uncontrolled)
	}
}

// assert panics, as a program under test would.
func assert(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}
