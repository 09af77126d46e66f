package atomicity

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Code says which names there are in the source, so that a section that is not
// found any more can be told from one whose function or variable has another
// name now.
type Code struct {
	// Packages has the names of each package that was looked at, by import
	// path.
	Packages map[string]*Names
	// Gone are import paths of the Spec that lead nowhere any more.
	Gone map[string]bool
}

// Names are the names of one package.
type Names struct {
	// Functions and Variables are in the form of atomicity.yaml, Types are
	// the identifiers.
	Functions, Variables, Types map[string]bool
	// Others are the identifiers declared in files that were not looked at,
	// such as those of tests and of other systems: what has such a name may
	// still be there.
	Others map[string]bool
	// Accesses returns the accesses to a variable in a function, in the order of
	// evaluation. Without it no section is followed that a person wrote.
	Accesses func(function, variable string) []Location
}

// Move is a section that was followed.
type Move struct {
	ID string
	// What is package, type, variable or function; From and To are its names.
	What, From, To string
}

// Follow finds out what was renamed since the Spec was made, and gives its
// sections the new names: packages that moved, and types, fields, variables and
// functions. The id of a section stays, like everything else a person may have
// written. Call it before Merge, with the same inferred sections.
//
// A name is followed only when it is gone from the code, when there is exactly
// one new name to which its sections fit, when it is the only one that fits
// there, and when at least half of its sections fit: the same code, word for
// word but for the names themselves. One statement alone, such as n++, proves
// nothing about a function, unless the names are alike. What a person wrote, and a
// variable that only with names, is followed by its own code. All others are left for a
// person, and Merge calls them stale.
func (s *Spec) Follow(inferred *Spec, code Code) []Move {
	f := &follower{spec: s, inferred: inferred, code: code}
	f.packages()
	for _, p := range s.Packages {
		now, names := inferred.Package(p.Path), code.Packages[p.Path]
		if now == nil || names == nil {
			continue
		}
		g := &packageFollower{follower: f, old: p, now: now, names: names}
		g.types()
		g.members()
		g.variables()
		g.functions()
		g.members() // of sections in functions with another name
	}
	return f.moves
}

type follower struct {
	spec     *Spec
	inferred *Spec
	code     Code
	moves    []Move
}

// rename is one hypothesis: from is called to now.
type rename struct {
	from, to string
	pairs    [][2]*Section // old and inferred sections that then are the same
	of       int           // sections that from has
}

// settle returns the hypotheses that have no rival.
func settle(all []rename) []rename {
	return slices.DeleteFunc(slices.Clone(all), func(r rename) bool {
		return 2*len(r.pairs) < r.of || slices.ContainsFunc(all, func(other rename) bool {
			return (other.from == r.from) != (other.to == r.to)
		})
	})
}

// packages follows packages whose import path has changed.
func (f *follower) packages() {
	var all []rename
	for _, p := range f.spec.Packages {
		if !f.code.Gone[p.Path] {
			continue
		}
		for _, q := range f.inferred.Packages {
			if f.spec.Package(q.Path) != nil {
				continue
			}
			r := rename{from: p.Path, to: q.Path}
			for _, v := range p.Variables {
				r.of += len(v.Sections)
				if w := q.Variable(v.Name); w != nil {
					r.pairs = append(r.pairs, same(v.Sections, w.Sections, keep)...)
				}
			}
			if len(r.pairs) > 0 {
				all = append(all, r)
			}
		}
	}
	for _, r := range settle(all) {
		p := f.spec.Package(r.from)
		p.Path = r.to
		f.moved("package", r, p.Variables)
	}
}

// moved notes the sections of the variables.
func (f *follower) moved(what string, r rename, variables []*Variable) {
	for _, v := range variables {
		for _, s := range v.Sections {
			f.moves = append(f.moves, Move{s.ID, what, r.from, r.to})
		}
	}
}

// renaming says what function names and code become.
type renaming struct {
	function func(string) string
	code     func(string) string
}

var keep = renaming{func(s string) string { return s }, func(s string) string { return s }}

// same pairs old sections with the new ones that are the same under the
// renaming: pattern, function, and every location by its code. Several with the
// same code are told apart by their ordinals, and only when there are as many of
// them on both sides.
func same(old, now []*Section, as renaming) [][2]*Section {
	key := func(s *Section, as renaming) string {
		if s.Entry.Code == "" || slices.ContainsFunc(s.Ends, func(e End) bool { return e.Code == "" }) {
			return ""
		}
		fold := func(l Location) string { return l.Access.String() + strings.Join(tokens(as.code(l.Code)), " ") }
		text := encodeFields(string(s.Pattern), as.function(s.Function), SetName(s.With), fold(s.Entry))
		for _, e := range s.Ends {
			text += encodeFields(fold(e.Location))
		}
		return text
	}
	group := func(list []*Section, as renaming) map[string][]*Section {
		groups := map[string][]*Section{}
		for _, s := range list {
			if k := key(s, as); k != "" {
				groups[k] = append(groups[k], s)
			}
		}
		for _, g := range groups {
			slices.SortStableFunc(g, func(a, b *Section) int { return a.Entry.Ordinal - b.Entry.Ordinal })
		}
		return groups
	}
	var pairs [][2]*Section
	olds := group(old, as)
	for k, news := range group(now, renaming{keep.function, as.code}) {
		if len(olds[k]) == len(news) {
			for i := range news {
				pairs = append(pairs, [2]*Section{olds[k][i], news[i]})
			}
		}
	}
	return pairs
}

// identifier returns code in which one identifier has another name.
func identifier(from, to string) func(string) string {
	return identifiers(map[string]string{from: to})
}

// identifiers returns code in which identifiers have other names.
func identifiers(names map[string]string) func(string) string {
	return func(code string) string {
		fset := token.NewFileSet()
		var s scanner.Scanner
		s.Init(fset.AddFile("", fset.Base(), len(code)), []byte(code), nil, 0)
		var b strings.Builder
		copied := 0
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF {
				return b.String() + code[copied:]
			}
			if to, ok := names[lit]; ok && tok == token.IDENT {
				at := fset.Position(pos).Offset
				b.WriteString(code[copied:at] + to)
				copied = at + len(lit)
			}
		}
	}
}
