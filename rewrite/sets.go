package rewrite

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A set of variables (atomicity.Section.With) is one more variable to the runtime: its
// instance is the struct whose fields the members are, or the one place that stands for
// package-level variables, and each access to a member is an access to the set as well.
// So a hooked access to a member has, beside its own Location, one for each set that it
// is in; a section over the set begins and ends at those.
//
// All healing locks of the members and their sets are one, their guard: who heals a
// section over one of them and who heals one over the set would otherwise take two
// locks in two orders.

// set is a set of variables of one package that active sections are about.
type set struct {
	pkg     string
	name    string
	members []string
	policy  atomicity.Healing
	healed  bool   // a section over it may be healed
	guard   string // names the healing lock that it shares with the sets it overlaps
}

// addSets notes the sets of the package, and that their members are watched.
func (w *watched) addSets(p *atomicity.Package) {
	var sets []*set
	for _, v := range p.Variables {
		for _, s := range activeSections(v) {
			if len(s.With) == 0 {
				continue
			}
			members := s.Set(v.Name)
			name := atomicity.SetName(members)
			i := slices.IndexFunc(sets, func(x *set) bool { return x.name == name })
			if i < 0 {
				i = len(sets)
				sets = append(sets, &set{pkg: p.Path, name: name, members: members})
			}
			sets[i].policy = stronger(sets[i].policy, s.Heal)
			sets[i].healed = sets[i].healed || s.Heal != atomicity.HealOff
			for _, m := range members {
				if w.own[p.Path][m] == nil {
					w.own[p.Path][m] = &atomicity.Variable{Name: m}
				}
			}
		}
	}
	for _, x := range sets {
		x.guard = guardOf(x, sets)
		for _, m := range x.members {
			w.sets[[2]string{p.Path, m}] = append(w.sets[[2]string{p.Path, m}], x)
		}
	}
}

// guardOf is the first of all the members of x and of the sets that it overlaps,
// directly or by way of others.
func guardOf(x *set, all []*set) string {
	reached := slices.Clone(x.members)
	for grown := true; grown; {
		grown = false
		for _, y := range all {
			if !slices.ContainsFunc(y.members, func(m string) bool { return slices.Contains(reached, m) }) {
				continue
			}
			for _, m := range y.members {
				if !slices.Contains(reached, m) {
					reached, grown = append(reached, m), true
				}
			}
		}
	}
	return slices.Min(reached)
}

// setHook is the access of a hook to one of the sets that its variable is in.
type setHook struct {
	set   *set
	index int // of the location in hook.table.members
}

// addSets gives the hook its locations for the sets that its variable is in.
func (p *plan) addSets(h *hook, pkgPath, name string, own location) {
	a := h.access
	for _, x := range p.watched.sets[[2]string{pkgPath, name}] {
		if a.Kind != access.Cell && a.Kind != access.Atomic || p.isElsewhere(a) || p.setMistake(x, a.Var.Obj.Pkg()) != "" {
			continue
		}
		l := own
		l.variable, l.of, l.race = p.setVariable(x, h.table), own.variable, false
		h.table.members = append(h.table.members, l)
		h.sets = append(h.sets, setHook{x, len(h.table.members) - 1})
		at := &h.table.locations[h.index]
		at.sets = append(at.sets, len(h.table.members)-1)
	}
}

// isElsewhere says whether the accessed memory is not that of the variable, which holds
// its address.
func (p *plan) isElsewhere(a *access.Access) bool {
	_, isPointer := a.Var.Obj.Type().Underlying().(*types.Pointer)
	return a.Pointer || a.Promoted && isPointer
}

// set is the one that the section is over.
func (w *watched) set(pkgPath, variable string, s *atomicity.Section) *set {
	name := atomicity.SetName(s.Set(variable))
	list := w.sets[[2]string{pkgPath, variable}]
	return list[slices.IndexFunc(list, func(x *set) bool { return x.name == name })]
}

// locationIn is the location of the hook as an access to the set; nil if it is none.
// To the scheduler a set is no variable of its own.
func (p *plan) locationIn(h *hook, x *set) *location {
	if !p.control {
		return h.in(x.name)
	}
	switch a := h.access; {
	case a.Kind != access.Cell && a.Kind != access.Atomic && a.Kind != access.Call, p.isElsewhere(a):
		return nil
	}
	return &h.table.locations[h.index]
}

// addMembers says in the row of a section over the set where its variables are; first is
// the one that it begins with.
func (p *plan) addMembers(row *sectionEntry, x *set, first string) {
	for _, name := range x.members {
		m, err := access.FindMember(p.pkg.Types, name)
		if err != nil {
			continue // setMistake has looked
		}
		at := member{name: x.pkg + "." + name}
		if len(m.Fields) > 0 {
			at.offset, at.size = p.offset(name, m, p.pkg.Types), p.size(name, m)
		}
		if name == first {
			row.offset = at.offset
		} else {
			row.members = append(row.members, at)
		}
	}
}

// also is what the end allows of single variables, in the words of the runtime: to the
// scheduler a variable has the path of its package in its name.
func (p *plan) also(e *atomicity.End) []memberAccess {
	var list []memberAccess
	for variable, mode := range e.AlsoAllowed() {
		if p.control {
			variable = p.pkg.PkgPath + "." + variable
		}
		list = append(list, memberAccess{variable, mode})
	}
	return list
}

// setMistake says why the set cannot be watched; empty if it can.
func (p *plan) setMistake(x *set, pkg *types.Package) string {
	for _, m := range x.members {
		if _, err := access.FindMember(pkg, m); err != nil {
			return m + " " + err.Error()
		}
	}
	return ""
}

// setVariable is the set's entry in the tables, made when it is new.
func (p *plan) setVariable(x *set, t *tables) ref {
	for _, have := range []*tables{p.own, t} {
		if i, ok := have.findVariable(x.pkg, x.name); ok {
			return ref{have, i}
		}
	}
	return ref{t, t.addVariable(variable{pkg: x.pkg, name: x.name, policy: x.policy, members: x.members, guard: x.guard,
		global: !strings.Contains(x.guard, ".")})}
}

// guard completes the entry of a variable that is in sets.
func (p *plan) guard(entry *variable, a *access.Access) {
	sets := p.watched.sets[[2]string{entry.pkg, entry.name}]
	if len(sets) == 0 {
		return
	}
	pkg := a.Var.Obj.Pkg()
	m, err := access.FindMember(pkg, entry.name)
	if err != nil || p.setMistake(sets[0], pkg) != "" {
		return // the section over the set is stale
	}
	entry.guard, entry.global = sets[0].guard, len(m.Fields) == 0
	if !entry.global {
		entry.offset = p.offset(entry.name, m, pkg)
	}
}

// offset is Go source for where the field with that name, of package pkg, begins in its
// struct: where it can be in words that hold for each architecture.
func (p *plan) offset(name string, m access.Member, pkg *types.Package) string {
	if pkg != p.pkg.Types || !m.Named || p.pkg.TypesSizes == nil {
		return fmt.Sprint(m.Offset(p.sizes()))
	}
	owner, _, _ := strings.Cut(name, ".")
	at := owner + "{}"
	var terms []string
	for _, f := range m.Fields {
		at += "." + f.Name()
		terms = append(terms, unsafeName+".Offsetof("+at+")")
	}
	return strings.Join(terms, " + ")
}

// size is the same for how long a field of the package is.
func (p *plan) size(name string, m access.Member) string {
	if !m.Named || p.pkg.TypesSizes == nil {
		return fmt.Sprint(p.sizes().Sizeof(m.Fields[len(m.Fields)-1].Type()))
	}
	owner, rest, _ := strings.Cut(name, ".")
	return unsafeName + ".Sizeof(" + owner + "{}." + rest + ")"
}

func (p *plan) sizes() types.Sizes {
	if p.pkg.TypesSizes == nil {
		return types.SizesFor("gc", "amd64")
	}
	return p.pkg.TypesSizes
}

// locations of the set in the hook; nil if it is not in that set.
func (h *hook) in(setName string) *location {
	for _, x := range h.sets {
		if x.set.name == setName {
			return &h.table.members[x.index]
		}
	}
	return nil
}

// opens says whether sections begin at the hook.
func (h *hook) opens() bool {
	if len(h.table.locations[h.index].entry) > 0 {
		return true
	}
	return slices.ContainsFunc(h.sets, func(x setHook) bool { return len(h.table.members[x.index].entry) > 0 })
}

// lock is the healing lock of a variable: its own, or the guard of the sets it is in.
func (a *assurance) lock(v access.Var) resource {
	pkgPath, name := a.plan.variable(v)
	if sets := a.plan.watched.sets[[2]string{pkgPath, name}]; len(sets) > 0 {
		return guardName{pkgPath, sets[0].guard}
	}
	return v
}

// guardName is a guard, as a resource.
type guardName struct{ pkg, name string }

// lockInstance names the instance of a healing lock as instanceName does that of a
// variable: for a member of a set, that of the struct that it is a field of.
func (a *assurance) lockInstance(v access.Var, base *types.Var, text string) string {
	g, ok := a.lock(v).(guardName)
	if !ok {
		return instanceName(v, base, text)
	}
	_, name := a.plan.variable(v)
	_, rest, field := strings.Cut(name, ".")
	if !field {
		return fmt.Sprint(g) // there is one
	}
	for range strings.Count(rest, ".") + 1 {
		i := strings.LastIndexByte(text, '.')
		if i < 0 {
			return instanceName(v, base, text)
		}
		text = text[:i]
	}
	return fmt.Sprintf("%v %p %s", g, base, text)
}

// openTo names a variable whose healing lock is v's, v itself if that is its own, at
// which other packages can get; empty if there is none.
func (a *assurance) openTo(v access.Var) string {
	g, ok := a.lock(v).(guardName)
	if !ok {
		if a.isOpen(v.Obj) {
			return a.plan.accesses.Name(v)
		}
		return ""
	}
	for _, key := range slices.SortedFunc(maps.Keys(a.plan.watched.sets), func(x, y [2]string) int { return strings.Compare(x[1], y[1]) }) {
		if key[0] != g.pkg || a.plan.watched.sets[key][0].guard != g.name || a.plan.pkg.Types.Name() == "main" {
			continue
		}
		first, _, _ := strings.Cut(key[1], ".")
		if last := key[1][strings.LastIndexByte(key[1], '.')+1:]; token.IsExported(first) && token.IsExported(last) {
			return key[1]
		}
	}
	return ""
}
