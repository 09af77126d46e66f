//go:build !atomrace_off

package heal

import (
	"strings"
	"testing"
	"time"
)

// turns lets all that is watched rest, or be watched again, n times.
func turns(t *testing.T, n int) {
	t.Helper()
	for range n {
		takeTurn()
		resting = 1 - resting
		turnRound()
		phase.turning = 0
	}
}

// A section is judged if everything was watched from its beginning to its end. Its end may
// have been in a function that rested, so that it is not over for heal.
func TestSectionsOverRounds(t *testing.T) {
	const begin, intrude, turn, end = "begin", "intrude", "turn", "end"
	for _, x := range []struct {
		name   string
		steps  string
		policy Policy
		broken bool
	}{
		{"within one", "begin intrude end", PolicyInherit, true},
		{"it rests", "begin intrude turn end", PolicyInherit, false},
		{"it rests, then others come", "begin turn intrude end", PolicyInherit, false},
		{"it has rested", "begin turn turn intrude end", PolicyInherit, false},
		{"it has rested after others came", "begin intrude turn turn end", PolicyInherit, false},
		{"begun while it rests", "turn begin turn intrude end", PolicyInherit, false},
		{"all of it while it rests", "turn begin intrude end", PolicyInherit, false},
		{"it begins anew", "begin turn turn begin intrude end", PolicyInherit, true},
		{"the one after it", "begin turn end turn begin intrude end", PolicyInherit, true},
		{"healed: its functions do not rest", "begin turn intrude end", PolicyAuto, true},
	} {
		for _, near := range []bool{false, true} { // others are in it already, or not
			name := x.name
			if near {
				name += ", others near"
			}
			t.Run(name, func(t *testing.T) {
				configured(t, "summary=0")
				p := newProgram(t)
				s := p.section("load-and-store/1")
				s.Policy = x.policy
				entry, last, foreign := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
				as := actors(t, 3)
				v := new(int)
				vs := found(t, func() {
					if near {
						as[2].visit(entry, v)
					}
					for step := range strings.FieldsSeq(x.steps) {
						switch step {
						case begin:
							as[0].visit(entry, v)
						case intrude:
							as[1].visit(foreign, v)
						case turn:
							turns(t, 1)
						case end:
							as[0].visit(last, v)
						}
					}
					if round&1 != 0 {
						turns(t, 1)
					}
				})
				if broken := len(vs) > 0; broken != x.broken {
					t.Errorf("broken %v", broken)
				}
			})
		}
	}
}

// Sections rest with the light hooks, but not while anything is to be healed.
func TestSectionsRest(t *testing.T) {
	spin := func(until func() bool) bool {
		for end := usedTime() + 400*time.Millisecond; usedTime() < end; {
			for range batch {
				BeginUnwatched()
				BeginAllUnwatched()
			}
			if until() {
				return true
			}
		}
		return false
	}
	for settings, want := range map[string]struct{ light, all bool }{
		"budget=1%":                              {true, true},
		"budget=0%":                              {true, true},
		"budget=none":                            {},
		"budget=1% heal=auto":                    {true, false},
		"budget=1% heal=lock":                    {true, false},
		"budget=0% heal=yield":                   {true, false},
		"budget=0% heal=off noise=random:1/1us":  {},
		"budget=0% heal=auto noise=random:1/1us": {},
	} {
		configured(t, settings)
		if light := spin(Unwatched); light != want.light || AllUnwatched() != want.all {
			t.Errorf("%s: light hooks rest: %v, all: %v", settings, light, AllUnwatched())
		}
	}
}

// A policy from the program counts at once, though nobody has met the section yet.
func TestPolicyRouses(t *testing.T) {
	configured(t, "budget=0%")
	if !AllUnwatched() {
		t.Fatal("it does not rest")
	}
	id := "load-and-store/of " + t.Name()
	SetPolicy(id, PolicyLock)
	if AllUnwatched() || !Unwatched() {
		t.Errorf("sections rest: %v, light hooks: %v", AllUnwatched(), Unwatched())
	}
	SetPolicy(id, PolicyInherit)
	if !AllUnwatched() {
		t.Error("it does not rest any more")
	}
}
