//go:build !atomrace_off

package heal

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// reportKey tells distinct violations apart: section, end point and foreign
// location, or the two locations of a data race.
type reportKey struct {
	section      *Section
	end, foreign *Location
}

// tally is one distinct violation and how often it was seen.
type tally struct {
	id      string // the same in every process that finds it
	line    string // what it is, in words
	section *Section
	count   int
	printed bool
	held    *Violation // what to print if it is not seen again, with one foreign access
}

var reports struct {
	sync.Mutex
	distinct map[reportKey]*tally
	order    []*tally
	total    uint64              // sections broken and races met
	races    uint64              // of these, data races
	doubted  uint64              // of these, violations of sections with a doubt
	broken   map[*Section]uint64 // times each section was broken
	held     int                 // tallies that hold a Violation
	pace     pace
	callback func(Violation)
	calling  map[G]bool // goroutines inside the callback
}

// OnViolation makes heal call fn for every violation, repeated ones included,
// on the goroutine that found it: the monitored one at the end of its section,
// the second one of a data race. That goroutine may hold the program's own
// locks, so fn should only take note. A panic in fn is caught; violations met
// within fn are not passed to it. The last call wins, nil removes the callback.
//
// With a logger it is
//
//	heal.OnViolation(func(x heal.Violation) {
//		if x.Count == 1 { // not each time
//			slog.Warn(x.Kind, x.Attrs()...)
//		}
//	})
func OnViolation(fn func(Violation)) {
	reports.Lock()
	defer reports.Unlock()
	reports.callback = fn
}

// unreported reports whether k would be a new violation.
func unreported(k reportKey) bool {
	reports.Lock()
	defer reports.Unlock()
	return reports.distinct[k.canonical()] == nil
}

// canonical puts the two locations of a data race into one order.
func (k reportKey) canonical() reportKey {
	if k.section == nil && k.foreign.before(k.end) {
		k.end, k.foreign = k.foreign, k.end
	}
	return k
}

// before orders locations by file, line, mode, and where they are in memory.
func (l *Location) before(o *Location) bool {
	return cmp.Or(
		strings.Compare(l.File, o.File),
		cmp.Compare(l.Line, o.Line),
		cmp.Compare(l.Mode, o.Mode),
		cmp.Compare(uintptr(unsafe.Pointer(l)), uintptr(unsafe.Pointer(o)))) < 0
}

// reportViolation passes on a section that was broken.
func reportViolation(c *config, v *verdict) {
	x := Violation{
		Kind:     AtomicityViolation,
		Variable: v.at.Var,
		Instance: v.addr,
		Section:  v.section,
		Allow:    v.end.Allow,
		Also:     v.end.Also,
		Entry:    Access{Location: v.entry, Mode: v.entry.Mode, Times: 1},
		End:      Access{Location: v.at, Mode: v.at.Mode, Times: 1, change: v.change.by(v.at.Mode)},
		Healing:  c.policy(v.section).String(),
		More:     v.dropped,
	}
	keys := make([]reportKey, 0, len(v.offenders))
	for i := range v.offenders {
		o := &v.offenders[i]
		k := reportKey{v.section, v.at, o.location}
		if o.yielded {
			x.Healing = "yield; the intruder backed off, but the section took longer"
		}
		x.Foreign = append(x.Foreign, Access{Location: o.location, Mode: o.mode, Goroutine: o.goroutine,
			Times: o.count, stack: o.stack, created: o.created, several: o.several, change: o.change.by(o.mode)})
		keys = append(keys, k)
	}
	if v.healed {
		counters.add(&counters.escaped)
		counters.add(&v.section.state().counts.escaped)
	}
	if now := c.broken(v.section); now != "" {
		x.Healing = now
	} else if c.policy(v.section) == PolicyLock {
		x.Healing = "lock; the section began before it was healed"
		switch {
		case v.healed:
			x.Healing = "lock; it could not be had in time"
		case v.early:
			x.Healing = "lock; the intruder's critical section began before that was so"
		}
	}
	submit(c, &x, keys, func() {
		x.End.trace()
		x.Entry.Goroutine, x.Entry.created = x.End.Goroutine, x.End.created
		if v.keyed {
			x.Key = keyText(v.key)
		}
	})
}

// reportRace passes on that l is about to access what m is accessing; first is
// the owner of m as far as it could be found out.
func reportRace(m, l *Location, addr uintptr, first Access) {
	c := settings()
	first.Location, first.Mode, first.Times = m, m.Mode, 1
	x := Violation{
		Kind:     DataRace,
		Variable: l.Var,
		Instance: addr,
		End:      first,
		Foreign:  []Access{{Location: l, Mode: l.Mode, Times: 1}},
		Healing:  c.policyOf(l.Var.info()).String(),
	}
	submit(c, &x, []reportKey{{end: m, foreign: l}}, func() { x.Foreign[0].trace() })
}

// trace completes an access of the calling goroutine by what it costs to find
// out.
func (a *Access) trace() {
	a.Goroutine, a.stack, a.created = goroutineID(), callers(), creation()
}

// submit counts x, whose foreign accesses have one key each, prints what is new
// of it, and tells the callback. Trace completes x; it is called when somebody
// is going to see x.
func submit(c *config, x *Violation, keys []reportKey, trace func()) {
	g := G(getg())
	x.Time = time.Now()
	s := count(c, x, keys, g)
	if c.doubts != "" && len(s.doubted) > 0 {
		listDoubts(c, s.doubted)
	}
	if len(s.fresh)+len(s.held) > 0 || s.callback != nil {
		trace()
	}
	for _, h := range s.held {
		x.keep(h)
	}
	switch {
	case len(s.fresh) > 0:
		emit(c, x.render(c, s.fresh))
		c.remember(false) // the program may not come to its end
	case s.counted != "":
		emit(c, s.counted)
	}
	if s.callback != nil {
		call(s.callback, *x, g)
	}
}

// sighting is a foreign access of a Violation, and what is known of the distinct
// violation that it makes.
type sighting struct {
	index int // in Foreign
	id    string
	count int
	of    *tally
}

// sightings are what is to be done about a Violation.
type sightings struct {
	fresh    []sighting // to be printed
	held     []sighting // to be printed later
	doubted  []string   // lines of distinct ones that fail nothing and were not seen before
	counted  string     // to be printed if there is nothing else: counts that reached a power of ten
	callback func(Violation)
}

// count counts x under each of its keys.
func count(c *config, x *Violation, keys []reportKey, g G) (s sightings) {
	reports.Lock()
	defer reports.Unlock()
	if reports.distinct == nil {
		reports.distinct, reports.broken = make(map[reportKey]*tally), make(map[*Section]uint64)
	}
	reports.total++
	if x.Section != nil {
		reports.broken[x.Section]++
	} else {
		reports.races++
	}
	if x.doubt() != "" {
		reports.doubted++
	}
	if !reports.calling[g] {
		s.callback = reports.callback
	}
	for i, k := range keys {
		if slices.Contains(keys[:i], k) {
			continue // in another mode
		}
		k = k.canonical()
		t := reports.distinct[k]
		isNew := t == nil
		if isNew {
			t = &tally{id: k.fingerprint(), line: x.line(i), section: x.Section}
			reports.distinct[k] = t
			reports.order = append(reports.order, t)
			if why := x.doubt(); why != "" {
				s.doubted = append(s.doubted, t.line+" ("+why+")")
			}
		}
		t.count++
		if t.count > x.Count {
			x.Count, x.ID = t.count, t.id
		}
		one := sighting{i, t.id, t.count, t}
		switch {
		case !t.printed && (len(s.fresh) > 0 || reports.pace.allows(c.rate, x.Time)):
			if t.held != nil {
				reports.held--
			}
			t.printed, t.held = true, nil
			s.fresh = append(s.fresh, one)
		case isNew:
			s.held = append(s.held, one)
		case t.printed && powerOfTen(t.count):
			s.counted += t.seen(c)
		}
	}
	return s
}

// maxHeld bounds how many violations wait to be printed; more are counted, and
// printed only if they are seen again.
const maxHeld = 1000

// keep holds x back for later, unless its like has been printed in the meantime.
// The copy has the one foreign access.
func (x *Violation) keep(s sighting) {
	kept := *x
	kept.Foreign = []Access{x.Foreign[s.index]}
	reports.Lock()
	defer reports.Unlock()
	if !s.of.printed && reports.held < maxHeld {
		s.of.held = &kept
		reports.held++
	}
}

// withheld are the violations that the rate has kept from being printed.
func withheld() (all []*Violation, of []sighting) {
	reports.Lock()
	defer reports.Unlock()
	reports.held = 0
	for _, t := range reports.order {
		if !t.printed && t.held != nil {
			all, of = append(all, t.held), append(of, sighting{0, t.id, t.count, t})
			t.printed, t.held = true, nil
		}
	}
	return all, of
}

// seen says how often t has been seen by now.
func (t *tally) seen(c *config) string {
	msg := fmt.Sprintf("seen %d times: %s", t.count, t.line)
	if c.json {
		return countLine(msg, t.id, t.count)
	}
	return "atomrace: " + msg + "\n"
}

func powerOfTen(n int) bool {
	for n > 1 && n%10 == 0 {
		n /= 10
	}
	return n == 1
}

// call runs the host's callback, whose panics are its own affair.
func call(fn func(Violation), x Violation, g G) {
	setCalling(g, true)
	defer func() {
		if recover() != nil {
			counters.add(&counters.panics)
		}
		setCalling(g, false)
	}()
	fn(x)
}

func setCalling(g G, on bool) {
	reports.Lock()
	defer reports.Unlock()
	if !on {
		delete(reports.calling, g)
		return
	}
	if reports.calling == nil {
		reports.calling = make(map[G]bool)
	}
	reports.calling[g] = true
}

// keyText renders a map key without running any method of the host.
func keyText(k any) string {
	v := reflect.ValueOf(k)
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		if len(s) > 64 {
			s = s[:64] + "…"
		}
		return fmt.Sprintf("%q", s)
	case reflect.Bool:
		return fmt.Sprint(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprint(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return fmt.Sprint(v.Uint())
	case reflect.Float32, reflect.Float64:
		return fmt.Sprint(v.Float())
	case reflect.Invalid:
		return "nil"
	}
	return "of type " + v.Type().String()
}
