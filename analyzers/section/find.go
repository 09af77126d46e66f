package section

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// from looks for the sections that open at the read e.
func (s *search) from(e *occurrence) {
	reach := s.reachOf(e)
	if reach == shared.Private {
		return
	}
	rivals, strong, evidence := s.rivals(e.Var)
	if !rivals || s.alone(e) {
		return
	}
	t := s.walk(e)
	f := finding{search: s, entry: e, trail: t, reach: reach, strong: strong, evidence: evidence}
	f.nested()
	f.loadAndStore()
	f.drain()
	f.testAndUse()
}

// rivals says whether another goroutine can write the variable while the body
// runs; see shared.Rivals. A variable of another package, and one that is handed
// on by its address, is mostly written by calls of functions.
func (s *search) rivals(v access.Var) (ok, strong bool, evidence string) {
	ok, strong, evidence = s.shared.Rivals(s.body, v)
	if strong || v.Obj == nil || !s.isRemote(v) {
		return ok, strong, evidence
	}
	if s.remote == nil {
		s.remote = map[access.Var]map[*accesses.Body]bool{}
		for b, st := range s.states {
			for _, o := range st.order {
				if o.Mode == atomicity.Write && (o.via != nil || o.like) && o.Var.Obj != nil && s.isRemote(o.Var) {
					if s.remote[o.Var] == nil {
						s.remote[o.Var] = map[*accesses.Body]bool{}
					}
					s.remote[o.Var][b] = true
				}
			}
		}
	}
	among, strongly, why := s.shared.RivalsAmong(s.body, v, s.remote[v])
	return ok || among, strong || strongly, cmp.Or(evidence, why)
}

// isRemote says whether no body of the package writes the variable itself.
func (s *search) isRemote(v access.Var) bool {
	return v.Obj.Pkg() != s.pkg.Types || !s.shared.Use(v).Written()
}

// reachOf says who can reach the object that e belongs to.
func (s *search) reachOf(e *occurrence) shared.Reach {
	if e.via == nil {
		return s.shared.Reach(s.body, e.Access)
	}
	x := shared.Unknown
	if e.Base != nil && !s.shared.Given(s.body, e.Base) {
		x = s.shared.Object(s.body, e.Base)
	}
	if x <= shared.Unknown && (s.shared.SharedField(e.via.Fun) || x != shared.Private && s.isReceiver(e.Base) && s.shared.ByAtomics(e.Access)) {
		return shared.Meant
	}
	return x
}

// isReceiver says whether v is the receiver of the method searched.
func (s *search) isReceiver(v *types.Var) bool {
	return v != nil && s.body.Func != nil && s.body.Func.Signature().Recv() == v
}

// alone says whether e runs in a body such as main before it starts a goroutine
// or after it has waited for one.
func (s *search) alone(e *occurrence) bool {
	if !s.shared.Sequential(s.body) {
		return false
	}
	started := false
	for _, events := range s.body.Events {
		for _, ev := range events {
			if ev.Node == nil || !s.before(ev, e) {
				continue
			}
			switch ev.Kind {
			case accesses.OnGo:
				started = true
			case accesses.OnReceive:
				return true
			case accesses.OnCall:
				call := ev.Node.(*ast.CallExpr)
				fn := s.locks.Callee(call)
				if fn != nil && fn.Name() == "Wait" {
					return true
				}
				if s.locks.Launches(fn) || s.shared.Starts(s.body, call) {
					started = true
				}
			}
		}
	}
	return !started
}

// finding is what is known about the sections of one entry.
type finding struct {
	*search
	entry    *occurrence
	trail    *trail
	reach    shared.Reach
	strong   bool
	evidence string
	taken    map[*access.Access]bool
}

// loadAndStore finds the writes into which the value read flows.
func (f *finding) loadAndStore() {
	f.taken = map[*access.Access]bool{}
	var ends []*hit
	plain := false
	for _, h := range f.trail.hits {
		if h.Mode != atomicity.Write || indivisible(h.Access) || h.origin != nil && rmw(h.origin) || h.later || h.passed && h.via != nil || f.missed(h) || f.again(h) || f.numbered(h) {
			continue
		}
		if isPlain, flows := f.flow(f.entry.Access, h.occurrence); flows && isPlain {
			ends, plain = append(ends, h), plain || !f.asksObject()
		} else if f.carriesOver(h) {
			ends, plain = append(ends, h), true
		} else if flows {
			ends = append(ends, h)
		}
	}
	if len(ends) == 0 || !plain && len(ends) == 1 && f.extreme(ends[0]) {
		return // a maximum: the test tells more than the flow
	}
	for _, h := range ends {
		f.taken[h.Access] = true
	}
	f.candidate(atomicity.LoadAndStore, ends, plain)
}

// asksObject says whether a getter gives what the object that is read says of itself, and
// not the object: func (s *store) On() bool { return s.db.On() }.
func (f *finding) asksObject() bool {
	if _, ok := f.entry.Var.Obj.Type().Underlying().(*types.Pointer); !ok || f.entry.via == nil {
		return false
	}
	t := f.pkg.Info.TypeOf(f.entry.via)
	if _, several := t.(*types.Tuple); several || t == nil {
		return false
	}
	_, basic := t.Underlying().(*types.Basic)
	return basic
}

// again says whether two calls of one literal make the accesses: what it does is
// judged where it is written.
func (f *finding) again(h *hit) bool {
	return f.entry.lit && h.lit && f.entry.Scope == h.Scope
}

// testAndUse finds the accesses that a test of the value read leads to.
func (f *finding) testAndUse() {
	var region []*hit
	for _, h := range f.trail.hits {
		if h.passed || f.taken[h.Access] || f.again(h) || f.looksAgain(h) || h.Mode == atomicity.Write && rmw(h.Access) {
			continue
		}
		if h.Mode == atomicity.Read && h.Kind == access.Atomic && h.renewed {
			continue // a Load after a CompareAndSwap that failed: it wants the new value
		}
		if h.Mode == atomicity.Write && (f.chosenBy(h) || f.overwrites(h) || f.newer(h) || f.entry.chosen && h.Method != "delete") {
			region = append(region, h)
			continue
		}
		for _, test := range f.trail.tests {
			if test == h.block || f.trail.weak[test] {
				continue // evaluated before the branch
			}
			if ok, _ := f.decides(test, h.block); ok {
				region = append(region, h)
				break
			}
		}
	}
	// Ends are the writes, and the reads after which nothing more is used.
	var ends []*hit
	for _, h := range region {
		last := h.Mode == atomicity.Write || !slices.ContainsFunc(region, func(g *hit) bool {
			return g != h && f.follows(h, g)
		})
		if last {
			ends = append(ends, h)
		}
	}
	if len(ends) == 0 || len(f.taken) > 0 && !slices.ContainsFunc(ends, func(h *hit) bool { return h.Mode == atomicity.Write }) {
		return // the load-and-store section says it already
	}
	f.candidate(atomicity.TestAndUse, ends, true)
}

// chosenBy says whether the entry's value decided which map entry h writes, as
// when a victim is picked from a map and deleted later.
func (f *finding) chosenBy(h *hit) bool {
	if f.entry.key != allKeys {
		return false
	}
	var key ast.Expr
	if h.via == nil {
		key = h.Key
	} else if len(h.via.Args) > 0 {
		key = h.via.Args[0]
	}
	return key != nil && f.values.of(key)[f.entry.Access]
}

// overwrites says whether h stores a map entry under a later acquisition of a
// lock than the one under which the entry's value was looked at and acted upon,
// or that of a sync.Map: what it replaces need no longer be what was acted upon.
func (f *finding) overwrites(h *hit) bool {
	if f.entry.Kind == access.SyncMap && h.Kind == access.SyncMap {
		return f.entry.via == nil && h.via == nil && f.entry.Method == "Load" && h.Method == "Store" && f.entry.key == h.key && f.actsOnFound(h)
	}
	if f.entry.Kind != access.MapElement || h.Kind != access.MapElement || h.key != f.entry.key || h.via != nil || f.entry.via != nil ||
		!f.entry.held.Any() || !h.held.Any() || len(h.kept) > 0 || h.Method == "delete" {
		return false
	}
	for _, test := range f.trail.tests {
		if !f.trail.weak[test] && f.actsAfter(test) {
			return true
		}
	}
	return false
}

// follows says whether control can go from h to g.
func (f *finding) follows(h, g *hit) bool {
	if h.block == g.block {
		return h.index < g.index
	}
	for _, succ := range f.body.CFG.Blocks[h.block].Succs {
		if f.reaches(succ, f.entry.block)[g.block] {
			return true
		}
	}
	return false
}

// leadsTo says whether control can go from a to b.
func (s *search) leadsTo(a, b *occurrence) bool {
	if a.block == b.block && a.index < b.index {
		return true
	}
	const none = -1
	for _, succ := range s.body.CFG.Blocks[a.block].Succs {
		if s.reaches(succ, none)[b.block] {
			return true
		}
	}
	return false
}

// rmw says whether the access is one indivisible operation that tests the
// variable again.
func rmw(a *access.Access) bool {
	switch a.Method {
	case "CompareAndSwap", "CompareAndDelete", "LoadOrStore", "LoadAndDelete", "Swap", "CAS", "Toggle":
		return true
	}
	return indivisible(a) && len(a.Method) > 3 && (a.Method[:4] == "Comp" || a.Method[:4] == "Swap")
}

// indivisible says whether the write does not depend on an earlier read of the
// variable: it reads and writes in one operation.
func indivisible(a *access.Access) bool {
	if a.Kind != access.Atomic && a.Kind != access.SyncMap {
		return false
	}
	return !(len(a.Method) >= 5 && a.Method[:5] == "Store") && a.Method != "Delete" && a.Method != "Clear"
}

// candidate adds the section from the entry to the ends, unless a lock
// protects it.
func (f *finding) candidate(pattern atomicity.Pattern, ends []*hit, plain bool) {
	writes := slices.ContainsFunc(ends, func(h *hit) bool { return h.Mode == atomicity.Write })
	var open *hit // the first unprotected end: a write rather than a read, and nearer rather than in a callee
	for _, h := range ends {
		if !protects(h.kept, h.Mode == atomicity.Write) && (open == nil || cmp.Or(cmp.Compare(open.Mode, h.Mode), cmp.Compare(h.depth, open.depth)) < 0) {
			open = h
		}
	}
	if open == nil {
		f.addedBeside(ends)
		return
	}
	e := f.entry
	c := &Candidate{
		Package:  f.pkg.Types.Path(),
		Variable: e.Var,
		Name:     f.pkg.Name(e.Var),
		Type:     types.TypeString(e.Var.Obj.Type(), types.RelativeTo(f.pkg.Types)),
		Pattern:  pattern,
		Analyzer: origin(pattern),
		Exits:    f.trail.exits,
		Shared:   true,
		Evidence: f.evidence,
		Pos:      e.Pos(),
		EndPos:   open.Pos(),
	}
	entry, last := f.extent(pattern, ends)
	c.Entry = entry.source()
	if e.via != nil && !e.lit {
		c.Via, c.Within = e.via, e.where()
	}
	for _, h := range last {
		c.Ends = append(c.Ends, h.source())
	}
	c.Section = f.section(pattern, entry, last)
	if c.Section != nil && (entry != e || !slices.Equal(last, ends)) {
		c.Section.Core = f.section(pattern, e, ends)
	}
	if open.via != nil && !open.lit {
		c.EndVia, c.EndWithin = open.via, open.where()
	}
	c.Category, c.Protected = f.classify(pattern, open, writes)
	c.Doubt = f.doubt(c, open, plain)
	c.Sure = c.Doubt == ""
	if c.Section != nil {
		c.Section.Doubt = f.noHarm(c, open, ends)
	}
	c.Message = f.message(c, open)
	if c.Sure {
		c.Fixes = f.fixes(c, open)
	}
	f.search.found = append(f.search.found, c)
}

// section is what atomicity.yaml can say of the sequence; nil if it cannot, for the
// function makes some of the accesses neither itself nor by a call of a method that
// tells which instance it is.
func (f *finding) section(pattern atomicity.Pattern, from *occurrence, ends []*hit) *atomicity.Section {
	entry := f.own(from)
	if entry == nil || f.ofAnother(entry) {
		return nil
	}
	section := &atomicity.Section{
		Pattern:  pattern,
		Function: entry.Func.Name,
		Entry:    f.pkg.Location(entry),
		Origin:   origin(pattern),
		Status:   atomicity.Candidate,
	}
	for _, h := range ends {
		end := f.own(h.occurrence)
		if end == nil || end.Func != entry.Func || h.key != f.entry.key {
			return nil
		}
		section.Ends = append(section.Ends, atomicity.End{Location: f.pkg.Location(end), Allow: atomicity.Read})
	}
	section.Ends = append(section.Ends, f.lookedAgain(from, ends)...)
	return section
}

// own is the access by which the function itself makes o, nil if there is none.
func (f *finding) own(o *occurrence) *access.Access {
	if o.like || o.inner {
		return nil
	}
	call := o.via
	if call == nil {
		if call, _ = f.pkg.Put(o.Expr); call == nil {
			if o.Ordinal == 0 {
				return nil // a part of it
			}
			return o.Access
		}
	}
	if o.lit || o.depth > 1 {
		return nil
	}
	a := f.pkg.CallIn(f.body, call, o.Var)
	if a == nil || a.Mode != o.Mode {
		return nil
	}
	return a
}

func origin(p atomicity.Pattern) string {
	if p == atomicity.LoadAndStore {
		return "loadstore"
	}
	return "testuse"
}

// protects says whether the locks kept from entry to end keep others from
// breaking in: a read lock does so only where nothing is written.
func protects(kept locks.Set, write bool) bool {
	for _, m := range kept {
		if m == locks.Exclusive || !write {
			return true
		}
	}
	return false
}

// classify gives the id of the diagnostic and the lock that was given up.
func (f *finding) classify(pattern atomicity.Pattern, end *hit, writes bool) (category, lock string) {
	e := f.entry
	test := pattern == atomicity.TestAndUse
	switch e.Kind {
	case access.SyncMap:
		return "sync-map", ""
	case access.Atomic:
		if test {
			return "atomic-check-then-act", ""
		}
		return "atomic-load-and-store", ""
	}
	if len(end.kept) > 0 {
		return "write-under-rlock", anyOf(end.kept)
	}
	for _, l := range end.held.Places() {
		m, before := end.held[l], e.held[l]
		ok := before > locks.Possible && m > locks.Possible
		switch {
		case ok && before == locks.Shared && m == locks.Exclusive:
			return "rlock-upgrade", l.String()
		case ok:
			return "unlock-relock", l.String()
		}
	}
	switch {
	case end.held.Any() && !e.held.Any():
		lock = anyOf(end.held)
		if test {
			return "test-before-lock", lock
		}
		return "read-before-lock", lock
	case e.held.Any() && !end.held.Any():
		lock = anyOf(e.held)
		if test {
			return "use-after-unlock", lock
		}
		return "store-after-unlock", lock
	}
	if l := f.lockedBefore(); l.Valid() && end.Mode == atomicity.Write && !end.held.Any() {
		if test {
			return "use-after-unlock", l.String()
		}
		return "store-after-unlock", l.String()
	}
	if test {
		return "test-and-use", ""
	}
	return "load-and-store", ""
}

// lockedBefore is a lock of the object under which the same body wrote the
// variable on its way to the entry, which is read after the release.
func (f *finding) lockedBefore() accesses.Place {
	if f.entry.held.Any() || f.entry.via != nil {
		return accesses.Place{}
	}
	for _, w := range f.order {
		if w.Mode != atomicity.Write || w.via != nil || !w.sameInstance(f.entry) || !f.leadsTo(w, f.entry) {
			continue
		}
		for _, l := range w.held.Places() {
			if w.held[l] == locks.Exclusive && l.Root != nil && l.Root == f.entry.place.Root {
				return l
			}
		}
	}
	return accesses.Place{}
}

// anyOf names the first of the locks, in the order of names.
func anyOf(held locks.Set) string {
	for _, l := range held.Places() {
		if held.Holds(l) {
			return l.String()
		}
	}
	return ""
}
