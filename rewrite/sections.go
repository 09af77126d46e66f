package rewrite

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// addSections finds the sections of the spec in the code.
func (p *plan) addSections(tests bool) {
	vars := p.watched.own[p.pkg.PkgPath]
	for _, name := range sortedKeys(vars) {
		v := vars[name]
		if len(v.Sections) == 0 && !p.mentions(name) {
			p.stale = append(p.stale, Stale{p.pkg.PkgPath, name, "", "no access to such a variable in the package"})
		}
		for _, s := range activeSections(v) {
			p.addSection(name, s, tests)
		}
	}
}

func (p *plan) mentions(name string) bool {
	for _, fn := range p.accesses.Functions {
		for _, a := range fn.Accesses {
			if p.accesses.Name(a.Var) == name {
				return true
			}
		}
	}
	return false
}

func (p *plan) addSection(variable string, s *atomicity.Section, tests bool) {
	missing := func(what string) {
		p.stale = append(p.stale, Stale{p.pkg.PkgPath, variable, s.ID, what})
	}
	if !p.hasFunction(s.Function) {
		if tests || !testFilesDeclare(p.pkg, s.Function) {
			missing("no function " + s.Function + " that accesses shared variables")
		}
		return
	}
	entry := p.sectionHook(variable, s, s.Entry)
	at := func(h *hook) *location { return &h.table.locations[h.index] }
	var over *set
	if len(s.With) > 0 {
		over = p.watched.set(p.pkg.PkgPath, variable, s)
		if why := p.setMistake(over, p.pkg.Types); why != "" {
			missing(why)
			return
		}
		at = func(h *hook) *location { return p.locationIn(h, over) }
	}
	if p.passesOver(variable, s, s.Entry, entry) {
		return
	}
	if entry == nil || at(entry) == nil {
		missing("no entry " + describe(s.Entry) + " in " + s.Function)
		return
	}
	found := &section{spec: s, fn: entry.access.Func, entry: entry.access, table: entry.table}
	circular := false
	var ends []*hook
	var allow []endEntry
	for _, e := range s.Ends {
		end := p.sectionHook(e.On(variable), s, e.Location)
		if p.passesOver(e.On(variable), s, e.Location, end) {
			continue
		}
		if end == nil || at(end) == nil {
			missing("no end " + describe(e.Location) + " in " + s.Function)
			continue
		}
		circular = circular || end == entry
		ends, allow = append(ends, end), append(allow, endEntry{allow: e.Allow, also: p.also(&e)})
		found.ends = append(found.ends, end.access)
	}
	if len(ends) == 0 {
		return
	}
	tolerated := atomicity.ReadWrite
	for _, a := range allow {
		tolerated &= a.allow
	}
	row := sectionEntry{
		id: s.ID, pattern: string(s.Pattern), circular: circular, policy: s.Heal, doubt: s.Doubted(), tolerated: tolerated,
		variable: at(entry).variable, apart: isApart(found.entry, found.ends),
	}
	if over != nil && p.control {
		p.addMembers(&row, over, variable)
	}
	if row.apart && rangesOverFunc(p.pkg.TypesInfo, found.fn.Node) {
		p.once[found.fn.Node] = true
	}
	found.index = found.table.addSection(row)
	this := ref{found.table, found.index}
	at(entry).entry = append(at(entry).entry, this)
	for i, end := range ends {
		allow[i].section = this
		at(end).ends = append(at(end).ends, allow[i])
	}
	p.sections = append(p.sections, found)
}

// sectionHook is the hook of the access that the location names. A call that makes
// one is hooked for this purpose alone; what it calls has hooks of its own, in which
// the scheduler finds the access.
func (p *plan) sectionHook(variable string, s *atomicity.Section, at atomicity.Location) *hook {
	a := p.accesses.Find(s.Function, variable, at)
	if a == nil || a.Kind != access.Call {
		return p.hookOf(a)
	}
	if len(s.With) > 0 && !p.control || isUninstrumentable(a.Func.Decl, a.Func.File) || !p.wrappable(a.Expr.(*ast.CallExpr)) {
		return nil
	}
	where := site{a.Expr, a.Mode, a.Kind}
	h := p.hooks[where]
	if h == nil && a.Scope != nil && p.hooks[site{a.Expr, a.Mode ^ atomicity.ReadWrite, a.Kind}] == nil {
		pkgPath, name := p.variable(a.Var)
		h = p.newHook(a, p.watched.find(pkgPath, name))
		p.hooks[where] = h
	}
	if h != nil && h.access.Var != a.Var {
		return nil // one call has room for one variable
	}
	return h
}

// passesOver says whether the access is there, and yet the section cannot be watched from
// there: it has no hook, for it is made by a call, is to the function's own memory, or in a function
// that must stay as it is.
func (p *plan) passesOver(variable string, s *atomicity.Section, at atomicity.Location, h *hook) bool {
	a := p.accesses.Find(s.Function, variable, at)
	if a == nil || h != nil {
		return false
	}
	where := p.pkg.Fset.PositionFor(a.Pos(), false)
	why := "section " + s.ID + " begins or ends with this access, "
	switch {
	case isUninstrumentable(a.Func.Decl, a.Func.File):
		why += "in a function whose compiler directives leave no room for hooks"
	case a.Kind == access.Call:
		p.notes = append(p.notes, passedOver(where, variable, s.ID))
		return true
	case p.isFinal(a):
		why += "to memory that no other goroutine sees"
	default:
		return false
	}
	p.notes = append(p.notes, Note{where.Filename, where.Line, where.Column, variable, s.ID, why})
	return true
}

// passedOver says of a section that it cannot be watched from the call at that place.
func passedOver(where token.Position, variable, id string) Note {
	return Note{where.Filename, where.Line, where.Column, variable, id, "section " + id + " begins or ends with this call, which can have no hook for it"}
}

func (p *plan) hasFunction(name string) bool {
	for _, fn := range p.accesses.Functions {
		if fn.Name == name {
			return true
		}
	}
	return false
}

func (p *plan) hookOf(a *access.Access) *hook {
	if a == nil {
		return nil
	}
	return p.hooks[site{a.Expr, a.Mode, a.Kind}]
}

func describe(l atomicity.Location) string {
	return strings.Trim(l.Access.String(), "{}") + " in `" + l.Code + "`"
}
