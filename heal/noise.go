//go:build !atomrace_off

package heal

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// noise is the noise injection of papers/001 section 3.3: where, how often,
// how long and in which way a goroutine is delayed so that others come in between.
type noise struct {
	kind     noiseKind
	perMille uint64
	duration time.Duration
	delay    delayKind
	at       []string // variables or file:line; empty: all that were suspected so far
	file     string   // keeps what was suspected from run to run; empty is none
}

// adaptiveDefault is what "adaptive" alone means.
const adaptiveDefault = "adaptive:20/4ms"

type noiseKind uint8

const (
	noiseNone     noiseKind = iota
	noiseRandom             // anywhere
	noiseVariable           // at the accesses of certain variables
	noiseLocation           // at certain locations
	noiseAdaptive           // everywhere at first, then where it seems to pay; see adaptive.go
)

func (n *noise) parse(v string) error {
	if v == "none" {
		n.kind, n.perMille, n.duration, n.delay = noiseNone, 0, 0, delayUnsaid
		return nil
	}
	if v == "adaptive" {
		v = adaptiveDefault
	}
	kind, rest, _ := strings.Cut(v, ":")
	rate, rest, ok := strings.Cut(rest, "/")
	length, way, said := strings.Cut(rest, "/")
	kinds := map[string]noiseKind{"random": noiseRandom, "variable": noiseVariable, "location": noiseLocation, "adaptive": noiseAdaptive}
	k := kinds[kind]
	if k == noiseNone || !ok {
		return fmt.Errorf("must be none, or random:P/D, variable:P/D, location:P/D or adaptive:P/D, which /sleep, /yield or /busy may follow")
	}
	p, err := strconv.ParseUint(rate, 10, 16)
	if err != nil || p > 1000 {
		return fmt.Errorf("the strength must be 0 to 1000 per mille")
	}
	d, err := time.ParseDuration(length)
	if err != nil || d < 0 || d > time.Second {
		return fmt.Errorf("the duration must be 0 to 1s, such as 50us")
	}
	how := delayNamed(way)
	if said && how == delayUnsaid {
		return fmt.Errorf("the kind of delay must be sleep, yield or busy")
	}
	if k == noiseAdaptive {
		p = max(p, 1) // the strength is what remains where nothing was found
	}
	n.kind, n.perMille, n.duration, n.delay = k, p, d, how
	return nil
}

func (n *noise) parseAt(v string) error {
	n.at = nil
	for _, s := range strings.Split(v, ";") {
		if s == "" {
			return fmt.Errorf("must list variables or file:line, with semicolons between them")
		}
		n.at = append(n.at, s)
	}
	return nil
}

// delay runs the noise heuristics in a spot of l: it decides, and lets others run.
//
//go:norace
func (c *config) delay(l *Location, at spot) {
	if c.noise.perMille == 0 {
		return
	}
	if c.noise.kind != noiseRandom {
		c.recall(l)
	}
	if c.noise.kind == noiseAdaptive {
		c.explore(l, at)
		return
	}
	if !c.chosen(l) || !c.draw() {
		return
	}
	c.noise.delay.pause(c.noise.duration)
}

// chosen reports whether noise may be placed at l at all.
//
//go:norace
func (c *config) chosen(l *Location) bool {
	if c.noise.kind == noiseRandom {
		return true
	}
	if len(c.noise.at) == 0 {
		if c.noise.kind == noiseVariable {
			return l.Var.info().suspected
		}
		return l.suspected
	}
	known := l.noisy
	if known>>1 != c.number {
		// Two goroutines may both work it out; they come to the same result.
		known = c.number << 1
		if c.noise.names(l) {
			known |= 1
			aimed = true
		}
		l.noisy = known
	}
	return known&1 != 0
}

// aimed says that some noise_at has named an access that was made.
var aimed bool

// missed says that the list of places has named nothing, if that is so by now.
//
//go:norace
func (c *config) missed() string {
	n := &c.noise
	if n.perMille == 0 || n.kind != noiseVariable && n.kind != noiseLocation || len(n.at) == 0 || aimed {
		return ""
	}
	what := "variable noise wants names of variables, as Pool.free"
	if n.kind == noiseLocation {
		what = "location noise wants FILE:LINE, as pool.go:31"
	}
	return fmt.Sprintf("noise_at=%s: no access that was made is one of these, and nothing was delayed; %s", strings.Join(n.at, ";"), what)
}

// names reports whether the list of places names l.
func (n *noise) names(l *Location) bool {
	for _, s := range n.at {
		if n.kind == noiseVariable {
			if s == l.Var.Name || s == l.Var.Package+"."+l.Var.Name {
				return true
			}
			continue
		}
		file, line, ok := cutLast(s, ":")
		if ok && line == strconv.Itoa(int(l.Line)) &&
			(file == l.File || file == path.Base(l.File) || strings.HasSuffix(l.File, "/"+file)) {
			return true
		}
	}
	return false
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// drawn counts the decisions made so far: the sequence of decisions is fixed
// by the seed, who gets which is up to the scheduler.
var drawn uint64

//go:norace
func (c *config) draw() bool { return c.decision(c.next()) < c.noise.perMille }

// next is the number of the next decision.
//
//go:norace
func (c *config) next() uint64 {
	quiet()
	n := atomic.AddUint64(&drawn, 1)
	loud()
	return n
}

// decision returns the nth random number below 1000 (splitmix64).
//
//go:norace
func (c *config) decision(n uint64) uint64 {
	z := c.seed + n*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return (z ^ z>>31) % 1000
}
