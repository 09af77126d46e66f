//go:build !atomrace_off

package heal

import (
	"fmt"
	"strings"
	"time"
)

// fingerprint names the distinct violation k by its places in the source. It is
// the same wherever the program was built, and whichever process finds it.
func (k reportKey) fingerprint() string {
	v := k.end.Var
	s := v.Package + "\n" + v.Name
	if k.section != nil {
		s += "\n" + k.section.ID
	}
	for _, l := range []*Location{k.end, k.foreign} {
		s += fmt.Sprintf("\n%s:%d:%d %s %s", baseName(l.File), l.Line, l.Column, l.Mode, l.Func)
	}
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
	}
	return fmt.Sprintf("%016x", h)
}

// render writes x with the given foreign accesses only: those reported before
// are not listed again.
func (x *Violation) render(c *config, fresh []sighting) string {
	if c.json {
		var lines strings.Builder
		for _, s := range fresh {
			lines.WriteString(x.jsonLine(s))
		}
		return lines.String()
	}
	var foreign []Access
	for _, s := range fresh {
		foreign = append(foreign, x.Foreign[s.index])
	}
	return x.text(foreign, first(x.advice()))
}

// advice tells suggestions apart.
type advice struct {
	section *Section
	end     *Location
	of      *variable
}

func (x *Violation) advice() advice {
	if x.Section == nil {
		return advice{of: x.Variable.info()}
	}
	return advice{section: x.Section, end: x.End.Location}
}

// tallies are the distinct violations so far, in the order of their discovery.
func tallies() []tally {
	reports.Lock()
	defer reports.Unlock()
	all := make([]tally, len(reports.order))
	for i, t := range reports.order {
		all[i] = *t
	}
	return all
}

// pace grants so many violations a second. What it denies is printed when it is
// met again in a quieter moment, or at the end of the program.
type pace struct {
	left float64
	last time.Time
}

// allows reports whether one more may be printed now.
func (p *pace) allows(rate int, now time.Time) bool {
	if rate == 0 {
		return true
	}
	full := float64(rate)
	switch passed := now.Sub(p.last).Seconds(); {
	case p.last.IsZero():
		p.left = full
	case passed > 0: // not where a test has turned the clock back
		p.left = min(full, p.left+passed*full)
	}
	p.last = now
	if p.left < 1 {
		return false
	}
	p.left--
	return true
}
