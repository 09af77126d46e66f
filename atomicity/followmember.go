package atomicity

import (
	"go/token"
	"slices"
	"strings"
)

// Nothing is inferred about a section that a person wrote, nor about a variable that
// only with names: what tells what became of them is the code itself.

// members follows variables without sections that were inferred.
func (g *packageFollower) members() {
	var all []rename
	for from, sections := range g.uninferred() {
		for to := range g.names.Variables {
			if ownerOf(to) != ownerOf(from) || strings.HasSuffix(to, "[]") != strings.HasSuffix(from, "[]") || g.old.names(to) {
				continue
			}
			r := rename{from: from, to: to, of: len(sections)}
			for _, p := range sections {
				if g.isMember(p, from, to) {
					r.pairs = append(r.pairs, [2]*Section{p.Section, p.Section})
				}
			}
			if len(r.pairs) > 0 {
				all = append(all, r)
			}
		}
	}
	slices.SortFunc(all, func(a, b rename) int { return strings.Compare(a.from, b.from) })
	for _, r := range settle(all) {
		now := func(name string) string { return renamed(name, r.from, r.to) }
		for _, v := range g.old.Variables {
			before := v.Name
			v.Name = now(v.Name)
			for _, s := range v.Sections {
				if before != r.from && !slices.Contains(s.With, r.from) {
					continue
				}
				s.renameSet(now)
				g.recode(Place{g.old, v, s}, r.from, r.to)
				g.moves = append(g.moves, Move{s.ID, "variable", r.from, r.to})
			}
		}
	}
}

// uninferred are the variables that are gone, and the sections about each of them, where
// all of these are a person's or over several variables.
func (g *packageFollower) uninferred() map[string][]Place {
	found, inferred := map[string][]Place{}, map[string]bool{}
	for _, v := range g.old.Variables {
		for _, s := range v.Sections {
			inferred[v.Name] = inferred[v.Name] || s.Origin != string(User)
			for _, name := range s.Set(v.Name) {
				if g.gone(name, g.names.Variables) {
					found[name] = append(found[name], Place{g.old, v, s})
				}
			}
		}
	}
	for name := range inferred {
		if inferred[name] {
			delete(found, name) // see variables
		}
	}
	return found
}

// names reports whether a variable of the package, or of a set, has the name.
func (p *Package) names(name string) bool {
	for _, v := range p.Variables {
		if v.Name == name || slices.ContainsFunc(v.Sections, func(s *Section) bool { return slices.Contains(s.With, name) }) {
			return true
		}
	}
	return false
}

// isMember reports whether the code of the section is there with the new name, wherever
// it accesses the variable. That must not be code that many variables have: c.port = port
// says which one is meant when it becomes c.number = port, and c.a = 0 does not.
func (g *packageFollower) isMember(p Place, from, to string) bool {
	if g.isInferred(p, from, to) {
		return true
	}
	codes := map[string]bool{}
	telling := alike(from, to)
	fits := func(l *Location, on string) bool {
		if on != from {
			return true
		}
		codes[l.Code] = true
		telling = telling || isTelling(l.Code, lastName(from))
		return l.Code != "" && g.accessNow(p.Section.Function, to, *l, from, to) != nil
	}
	all := fits(&p.Section.Entry, p.Variable.Name)
	for i := range p.Section.Ends {
		e := &p.Section.Ends[i]
		all = fits(&e.Location, e.On(p.Variable.Name)) && all
	}
	return all && len(codes) > 0 && (telling || len(codes) > 1)
}

// isInferred reports whether the section over the new name was inferred.
func (g *packageFollower) isInferred(p Place, from, to string) bool {
	v := g.now.Variable(p.Variable.Name)
	if v == nil {
		return false
	}
	set := p.Section.Clone()
	set.renameSet(func(name string) string { return renamed(name, from, to) })
	return slices.ContainsFunc(v.Sections, func(n *Section) bool {
		return n.Function == set.Function && len(n.Ends) == len(set.Ends) && SetName(n.Set(v.Name)) == SetName(set.Set(v.Name)) && byCode(set.Entry, n.Entry) && sameOrdinals(set, n)
	})
}

// accessNow is the one access that is the location with another name of a variable.
func (g *packageFollower) accessNow(function, variable string, was Location, from, to string) *Location {
	if g.names.Accesses == nil {
		return nil
	}
	as := identifier(lastName(from), lastName(to))
	fold := func(code string) string { return strings.Join(tokens(as(code)), " ") }
	var found *Location
	for _, l := range g.names.Accesses(function, variable) {
		if l.Access != was.Access || was.Ordinal != 0 && was.Ordinal != l.Ordinal || fold(l.Code) != fold(was.Code) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &l
	}
	return found
}

// recode brings the code of the section up to date, whose variable has another name.
func (g *packageFollower) recode(p Place, from, to string) {
	s := p.Section
	update := func(l *Location, on string) {
		if now := g.accessNow(s.Function, on, *l, from, to); now != nil && l.Code != "" {
			l.Code = now.Code
		}
	}
	update(&s.Entry, p.Variable.Name)
	for i := range s.Ends {
		update(&s.Ends[i].Location, s.Ends[i].On(p.Variable.Name))
	}
}

// inFunction returns a person's section as it stands in the function with the other name; nil
// if its code is not all there.
func (g *packageFollower) inFunction(s *Section, variable, from, to string) *Section {
	if s.Origin != string(User) {
		return nil
	}
	now := s.Clone()
	now.Function = to
	there := func(l *Location, on string) bool {
		on = renamedLocal(on, from, to)
		at := g.accessNow(to, on, *l, on, on)
		if at != nil && l.Ordinal != 0 {
			l.Ordinal = at.Ordinal
		}
		return at != nil && l.Code != ""
	}
	if !there(&now.Entry, variable) {
		return nil
	}
	for i := range now.Ends {
		if !there(&now.Ends[i].Location, s.Ends[i].On(variable)) {
			return nil
		}
	}
	return now
}

// predeclared are the identifiers that say nothing about a statement.
var predeclared = []string{"nil", "true", "false", "iota", "len", "cap", "append", "int", "string", "make", "new"}

// isTelling reports whether the statement has a name in it besides the variable's and
// those that lead to it.
func isTelling(code, variable string) bool {
	list := tokens(code)
	at := slices.Index(list, variable)
	first := at
	for first >= 2 && list[first-1] == "." {
		first -= 2
	}
	for i, t := range list {
		if (i < first || i > at) && token.IsIdentifier(t) && !slices.Contains(predeclared, t) {
			return true
		}
	}
	return false
}
