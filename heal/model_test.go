//go:build !atomrace_off

package heal

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"
)

// figure3 is papers/001 Figure 3 written down as it stands, for one variable
// and one goroutine that is monitored whenever it is in a section, with the
// treatment of overlap and the restart of a loop added. One for each goroutine
// is what the real detector is compared with.
type figure3 struct {
	monitored int
	owner     int // 0: nobody
	entry     *Location
	suspects  []suspected
}

type suspected struct{ l *Location }

// visit returns the sections that it finds broken.
func (m *figure3) visit(goroutine int, l *Location) (broken []string) {
	// beforeAccess
	if m.owner == 0 && goroutine == m.monitored && len(l.entries()) > 0 {
		m.owner, m.entry, m.suspects = goroutine, l, nil
	} else if m.owner != 0 && m.owner != goroutine {
		m.suspects = append(m.suspects, suspected{l})
	} else if m.owner == goroutine && m.entry == l {
		m.suspects = nil // the loop came back without an end
	}
	// afterAccess
	if m.owner != goroutine {
		return nil
	}
	s := m.entry.entries()[0]
	if e := l.ends(s); e != nil {
		for _, x := range m.suspects {
			if x.l.Mode&^e.Allow != 0 {
				broken = append(broken, s.ID)
				break
			}
		}
		m.owner, m.entry, m.suspects = 0, nil, nil
		if len(l.entries()) > 0 && l.entries()[0] != s {
			m.owner, m.entry = goroutine, l
		}
	}
	return broken
}

// Random programs of chained sections, visited by three goroutines in random
// order: detector and model agree on every one.
func TestAgreesWithFigure3(t *testing.T) {
	configured(t, "history=1000")
	seeds := uint64(2000)
	if raceBuild {
		seeds = 200 // one goroutine plays all: there is no race to be seen
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		p := newProgram(t)
		modes := []Mode{Read, Write, ReadWrite}
		s := []*Section{p.section("S0"), p.section("S1"), p.section("S2")}
		allow := func() Mode { return Mode(r.IntN(4)) }
		locations := []*Location{
			p.at(modes[r.IntN(3)], s[0]),
			p.at(modes[r.IntN(3)], End{Section: s[0], Allow: allow()}, s[1]), // overlap
			p.at(modes[r.IntN(3)], End{Section: s[1], Allow: allow()}),
			p.at(modes[r.IntN(3)], End{Section: s[0], Allow: allow()}, End{Section: s[1], Allow: allow()}),
			p.at(modes[r.IntN(3)]),
		}
		// One section of a goroutine at a time, as Figure 3 demands: an entry
		// is visited only by who has none open, or that very one.
		open := map[int]*Section{}
		models := []*figure3{{monitored: 1}, {monitored: 2}, {monitored: 3}}
		var want []string
		x := new([1 << 17]int)
		frames := []Frame{{}, frameOf(1), frameOf(2), frameOf(3)}
		var trace []string
		got := found(t, func() {
			for range 30 {
				g := 1 + r.IntN(3)
				l := locations[r.IntN(len(locations))]
				if o := open[g]; o != nil && len(l.entries()) > 0 && l.entries()[0] != o && l.ends(o) == nil {
					continue
				}
				trace = append(trace, fmt.Sprintf("%d:%d", g, l.Line))
				f := &frames[g]
				f.Before(l, unsafe.Pointer(&x[0]), unsafe.Sizeof(int(0)))
				f.After(l, unsafe.Pointer(&x[0]))
				for _, m := range models {
					want = append(want, m.visit(g, l)...)
				}
				if o := open[g]; o != nil && l.ends(o) != nil {
					open[g] = nil
				}
				if len(l.entries()) > 0 {
					open[g] = l.entries()[0]
				}
			}
			for i := range frames {
				frames[i].End()
			}
		})
		if sections(got) != strings.Join(want, " ") {
			t.Fatalf("seed %d, %v: found %q, the model %q", seed, trace, sections(got), want)
		}
		idle(t)
	}
}

// An instance stays alive while a section over it is open, or its address
// could become another's.
func TestInstanceIsKeptAlive(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry := p.at(Read, s)
	f := Begin()
	defer f.End()
	enter := func() weak.Pointer[[1 << 17]int] {
		x := new([1 << 17]int)
		access1(&f, entry, &x[0])
		return weak.Make(x)
	}
	w := enter()
	runtime.GC()
	runtime.GC()
	if w.Value() == nil {
		t.Error("collected while the section was open")
	}
	f.Exit(s)
	runtime.GC()
	runtime.GC()
	if w.Value() != nil {
		t.Error("kept after the section was left")
	}
}
