package atomicity

import (
	"slices"
	"strings"
)

// packageFollower follows the names inside of one package.
type packageFollower struct {
	*follower
	old, now *Package
	names    *Names
}

// gone reports whether nothing has the name any more; known are those of its
// kind.
func (g *packageFollower) gone(name string, known map[string]bool) bool {
	return !known[name] && !g.names.Others[lastName(name)]
}

// lastName is the identifier that a canonical name ends with: free of
// (*Pool).Get.free#2[].
func lastName(name string) string {
	name = strings.TrimSuffix(name, "[]")
	name, _, _ = strings.Cut(name, "#")
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.Trim(name, "(*)")
}

// ownerOf is the type or function before the last name, with its dot.
func ownerOf(name string) string { return name[:strings.LastIndexByte(name, '.')+1] }

// typeOf is the type that a variable or function name begins with: Pool of
// Pool.free and (*Pool).Get; empty if there is none.
func typeOf(name string) string {
	first, _, found := strings.Cut(name, ".")
	if !found {
		return ""
	}
	return strings.Trim(first, "(*)")
}

// retype gives a name another type.
func retype(name, from, to string) string {
	if typeOf(name) != from {
		return name
	}
	return strings.Replace(name, from, to, 1)
}

// types follows types with another name: their fields and methods kept theirs.
func (g *packageFollower) types() {
	var all []rename
	for _, from := range g.typesOf(g.old) {
		if !g.gone(from, g.names.Types) || g.names.Functions[from] {
			continue
		}
		for _, to := range g.typesOf(g.now) {
			if slices.Contains(g.typesOf(g.old), to) || !g.names.Types[to] {
				continue
			}
			r := rename{from: from, to: to}
			as := renaming{func(f string) string { return retype(f, from, to) }, identifier(from, to)}
			for _, v := range g.old.Variables {
				if typeOf(v.Name) != from {
					continue
				}
				r.of += len(v.Sections)
				if w := g.now.Variable(retype(v.Name, from, to)); w != nil {
					r.pairs = append(r.pairs, same(v.Sections, w.Sections, as)...)
				}
			}
			if len(r.pairs) > 0 {
				all = append(all, r)
			}
		}
	}
	for _, r := range settle(all) {
		var of []*Variable
		for _, v := range g.old.Variables {
			if typeOf(v.Name) == r.from {
				v.Name = retype(v.Name, r.from, r.to)
				of = append(of, v)
			}
			for _, s := range v.Sections {
				s.Function = retype(s.Function, r.from, r.to)
				s.renameSet(func(name string) string { return retype(name, r.from, r.to) })
			}
		}
		adopt(r.pairs)
		g.moved("type", r, of)
	}
}

// typesOf lists the first parts of the names of a package's variables.
func (g *packageFollower) typesOf(p *Package) []string {
	var list []string
	for _, v := range p.Variables {
		if t := typeOf(v.Name); t != "" && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// adopt gives old sections the function and locations of the new ones they are.
func adopt(pairs [][2]*Section) {
	for _, p := range pairs {
		p[0].Function = p[1].Function
		p[0].refresh(p[1])
	}
}

// variables follows fields and package-level variables with another name: their
// owner, type and functions stayed the same. A field may have gone into another struct
// type with its name, as when a part of a type is embedded in it now.
func (g *packageFollower) variables() {
	var all []rename
	for _, v := range g.old.Variables {
		if !g.gone(v.Name, g.names.Variables) || len(v.Sections) == 0 {
			continue
		}
		for _, w := range g.now.Variables {
			if g.old.Variable(w.Name) != nil || v.Type == "" || v.Type != w.Type || ownerOf(v.Name) != ownerOf(w.Name) && !g.isPromoted(v.Name, w.Name) ||
				strings.HasSuffix(v.Name, "[]") != strings.HasSuffix(w.Name, "[]") {
				continue
			}
			r := rename{from: v.Name, to: w.Name, of: len(v.Sections)}
			for _, p := range same(v.Sections, w.Sections, renaming{keep.function, g.besides(v.Name, w.Name)}) {
				if sameOrdinals(p[0], p[1]) {
					r.pairs = append(r.pairs, p)
				}
			}
			if len(r.pairs) > 0 {
				all = append(all, r)
			}
		}
	}
	for _, r := range settle(all) {
		v := g.old.Variable(r.from)
		v.Name = r.to
		for _, other := range g.old.Variables {
			for _, s := range other.Sections {
				s.renameSet(func(name string) string { return renamed(name, r.from, r.to) })
			}
		}
		adopt(r.pairs)
		g.moved("variable", r, []*Variable{v})
	}
}

// besides gives two variables one name in the code, and all others of their owner that are
// gone or new another one: of two fields that one statement uses both may be renamed.
func (g *packageFollower) besides(from, to string) func(string) string {
	names := map[string]string{}
	for _, v := range g.old.Variables {
		if ownerOf(v.Name) == ownerOf(from) && g.gone(v.Name, g.names.Variables) {
			names[lastName(v.Name)] = "ο"
		}
	}
	for _, w := range g.now.Variables {
		if ownerOf(w.Name) == ownerOf(to) && g.old.Variable(w.Name) == nil {
			names[lastName(w.Name)] = "ο"
		}
	}
	names[lastName(from)], names[lastName(to)] = "ξ", "ξ"
	return identifiers(names)
}

// isPromoted reports whether the two are fields of one name of two struct types.
func (g *packageFollower) isPromoted(from, to string) bool {
	field := func(name string) bool { return g.names.Types[strings.TrimSuffix(ownerOf(name), ".")] }
	return lastName(from) == lastName(to) && field(from) && field(to)
}

// sameOrdinals holds when nothing else was edited. A location without an ordinal
// says nothing against it.
func sameOrdinals(a, b *Section) bool {
	same := func(a, b Location) bool { return a.Ordinal == 0 || a.Ordinal == b.Ordinal }
	for i := range a.Ends {
		if !same(a.Ends[i].Location, b.Ends[i].Location) {
			return false
		}
	}
	return same(a.Entry, b.Entry)
}

// functions follows functions and methods with another name, and the variables
// that are named after them.
func (g *packageFollower) functions() {
	old, now := sectionsOf(g.old), sectionsOf(g.now)
	var all []rename
	for from, sections := range old {
		if !g.gone(from, g.names.Functions) {
			continue
		}
		for to := range g.names.Functions {
			// A function that had sections before is not a new name.
			if old[to] != nil {
				continue
			}
			found := now[to]
			r := rename{from: from, to: to}
			as := renaming{func(f string) string { return renamed(f, from, to) }, keep.code}
			for v, list := range sections {
				r.of += len(list)
				r.pairs = append(r.pairs, same(list, found[renamedLocal(v, from, to)], as)...)
				for _, s := range list {
					known := slices.ContainsFunc(r.pairs, func(p [2]*Section) bool { return p[0] == s })
					if there := g.inFunction(s, v, from, to); there != nil && !known {
						r.pairs = append(r.pairs, [2]*Section{s, there})
					}
				}
			}
			if len(r.pairs) > 0 && (alike(from, to) || statements(r.pairs) > 1) {
				all = append(all, r)
			}
		}
	}
	slices.SortFunc(all, func(a, b rename) int { return strings.Compare(a.from, b.from) })
	for _, r := range settle(all) {
		for _, v := range g.old.Variables {
			if name := renamedLocal(v.Name, r.from, r.to); g.old.Variable(name) == nil {
				v.Name = name
			}
			for _, s := range v.Sections {
				if s.Function == r.from {
					s.Function = r.to
					g.moves = append(g.moves, Move{s.ID, "function", r.from, r.to})
				}
			}
		}
		adopt(r.pairs)
	}
}

func renamed(name, from, to string) string {
	if name == from {
		return to
	}
	return name
}

// renamedLocal is the name of a variable once its function is called to.
func renamedLocal(variable, from, to string) string {
	if rest, ok := strings.CutPrefix(variable, from+"."); ok {
		return to + "." + rest
	}
	return variable
}

// sectionsOf groups the sections of a package by function and variable name.
func sectionsOf(p *Package) map[string]map[string][]*Section {
	groups := map[string]map[string][]*Section{}
	for _, v := range p.Variables {
		for _, s := range v.Sections {
			if groups[s.Function] == nil {
				groups[s.Function] = map[string][]*Section{}
			}
			groups[s.Function][v.Name] = append(groups[s.Function][v.Name], s)
		}
	}
	return groups
}

// alike reports whether two function names have the same last part, or differ
// in few letters.
func alike(a, b string) bool {
	if lastName(a) == lastName(b) {
		return true
	}
	_, near := Nearest(a, []string{b})
	return near && ownerOf(a) == ownerOf(b) && 3*editDistance(lastName(a), lastName(b)) <= max(len(lastName(a)), len(lastName(b)))
}

// statements counts the different pieces of code of the sections.
func statements(pairs [][2]*Section) int {
	seen := map[string]bool{}
	for _, p := range pairs {
		seen[p[0].Entry.Code] = true
		for _, e := range p[0].Ends {
			seen[e.Code] = true
		}
	}
	return len(seen)
}
