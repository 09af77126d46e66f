//go:build !atomrace_off

package heal

import (
	"strings"
	"sync/atomic"
	"testing"
)

// turns lets all that is watched rest, or be watched again, n times.
func turns(t *testing.T, n int) {
	t.Helper()
	for range n {
		takeTurn()
		atomic.StoreUint64(&resting, 1-atomic.LoadUint64(&resting))
		turnSections()
		atomic.StoreUint32(&phase.turning, 0)
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
				s.Var.Policy = x.policy
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
