package heal

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
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
	line  string // what it is, for the summary
	count int
}

var reports struct {
	sync.Mutex
	distinct map[reportKey]*tally
	order    []*tally
	total    uint64 // sections broken and races met
	callback func(Violation)
	calling  map[G]bool // goroutines inside the callback
}

// OnViolation makes heal call fn for every violation, repeated ones included,
// on the goroutine that found it: the monitored one at the end of its section,
// the second one of a data race. That goroutine may hold the program's own
// locks, so fn should only take note. A panic in fn is caught; violations met
// within fn are not passed to it. The last call wins, nil removes the callback.
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

// position renders where l stands in the source.
func (l *Location) position() string { return fmt.Sprintf("%s:%d", l.File, l.Line) }

// reportViolation passes on a section that was broken.
func reportViolation(c *config, v *verdict) {
	x := Violation{
		Kind:     AtomicityViolation,
		Variable: v.at.Var,
		Instance: v.addr,
		Section:  v.section,
		Allow:    v.end.Allow,
		Entry:    Access{Location: v.entry, Mode: v.entry.Mode, Goroutine: goroutineID(), Times: 1},
		End:      Access{Location: v.at, Mode: v.at.Mode, Goroutine: goroutineID(), Times: 1, stack: callers()},
	}
	if v.keyed {
		x.Key = keyText(v.key)
	}
	x.Healing = c.policy(v.section).String()
	keys := make([]reportKey, 0, len(v.offenders))
	for i := range v.offenders {
		o := &v.offenders[i]
		x.Foreign = append(x.Foreign, Access{Location: o.location, Mode: o.mode, Goroutine: o.goroutine,
			Times: o.count, stack: o.stack, several: o.several})
		keys = append(keys, reportKey{v.section, v.at, o.location})
		if o.yielded {
			x.Healing = "yield; the intruder backed off, but the section took longer"
		}
	}
	if c.policy(v.section) == PolicyLock {
		x.Healing = "lock; it could not be had in time"
	}
	submit(c, &x, keys, v.dropped)
}

// reportRace passes on that l is about to access what m is accessing.
func reportRace(m, l *Location, addr uintptr, goroutine uint64, stack []uintptr) {
	c := settings()
	x := Violation{
		Kind:     DataRace,
		Variable: l.Var,
		Instance: addr,
		End:      Access{Location: m, Mode: m.Mode, Goroutine: goroutine, Times: 1, stack: stack},
		Foreign:  []Access{{Location: l, Mode: l.Mode, Goroutine: goroutineID(), Times: 1, stack: callers()}},
		Healing:  c.policyOf(l.Var.info()).String(),
	}
	submit(c, &x, []reportKey{{end: m, foreign: l}}, false)
}

// submit counts x, prints what is new of it, and tells the callback. more says
// that there were foreign accesses beyond those in x.
func submit(c *config, x *Violation, keys []reportKey, more bool) {
	g := G(getg())
	fresh, counted := count(x, keys)
	reports.Lock()
	callback := reports.callback
	if reports.calling[g] {
		callback = nil
	}
	reports.Unlock()
	switch {
	case len(fresh) > 0:
		emit(c, x.text(fresh, more))
	case counted != "":
		emit(c, counted)
	}
	if callback != nil {
		call(callback, *x, g)
	}
}

// count counts x under each of its keys, once. It returns the foreign accesses
// that make a new violation, and the lines to print where a count reaches a
// power of ten.
func count(x *Violation, keys []reportKey) (fresh []Access, counted string) {
	reports.Lock()
	defer reports.Unlock()
	if reports.distinct == nil {
		reports.distinct = make(map[reportKey]*tally)
	}
	reports.total++
	for i, k := range keys {
		if slices.Contains(keys[:i], k) {
			continue // in another mode
		}
		k = k.canonical()
		t := reports.distinct[k]
		if t == nil {
			t = &tally{line: x.line(i)}
			reports.distinct[k] = t
			reports.order = append(reports.order, t)
			fresh = append(fresh, x.Foreign[i])
		}
		t.count++
		x.Count = max(x.Count, t.count)
		if t.count > 1 && powerOfTen(t.count) {
			counted += fmt.Sprintf("atomrace: seen %d times: %s\n", t.count, t.line)
		}
	}
	return fresh, counted
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

// gaveUp reports, once for each section or variable, that a healing lock could
// not be had in time.
func gaveUp(c *config, v *Variable, l *Location, in *instance) {
	counters.add(&counters.timeouts)
	var what any = v.info()
	where := "ahead of a critical section"
	if l != nil {
		where = "at " + l.position()
		if len(l.Entry) > 0 {
			what = l.Entry[0]
			where = "for section " + l.Entry[0].ID + " " + where
		}
	}
	if first(what) {
		emit(c, fmt.Sprintf("atomrace: healing lock of %s at %#x not obtained within %v %s; going on without it (said once)\n",
			v.Name, in.addr, c.wait, where))
	}
}
