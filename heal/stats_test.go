//go:build !atomrace_off

package heal

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestSections(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s, other := p.section("S"), p.section("T")
	entry, end := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	from, to := p.at(Read, other), p.at(Write, End{Section: other, Allow: Read})
	intruders := []*Location{p.at(Write), p.at(Write)}
	a := actors(t, 2)
	before := Stats()
	x := new(int)
	for range 3 {
		violate(a, entry, end, intruders[0], x)
	}
	violate(a, entry, end, intruders[1], x)
	violate(a, from, to, intruders[0], x)
	raceOnce()
	var got []string
	for _, s := range Sections() {
		if s.Package == p.v.Package {
			got = append(got, fmt.Sprintf("%s %s %s %d %d", s.Variable, s.Section, s.Pattern, s.Violations, s.Distinct))
		}
	}
	if want := "Pool.free S load-and-store 4 2; Pool.free T load-and-store 1 1"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if after := Stats(); after.Races-before.Races != 1 || after.Violations-before.Violations != 6 {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// What slog makes of a violation names its places.
func TestAttrs(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, nil))
	for _, x := range found(t, func() { violate(a, entry, end, other, new(int)); raceOnce() }) {
		log.Warn(x.Kind, x.Attrs()...)
	}
	for _, want := range []string{
		`msg="atomicity violation"`, "variable=Pool.free", "section=S pattern=load-and-store entry=pool.go:1 end=pool.go:2 foreign=pool.go:3 healing=off\n",
		`msg="data race"`, "first=a.go:1 foreign=a.go:2",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "BADKEY") {
		t.Errorf("%s", &b)
	}
}
