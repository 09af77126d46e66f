package atomicity

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// matchSections finds for each inferred section the old one that it is, or
// nil. Sections that are surely the same are paired first, so that they are no
// longer there to be mistaken for something else:
//
//  1. all locations the same;
//  2. all by their code: the accesses before them changed in number;
//  3. by code or ordinal, and at least one by its code, or all of them by
//     ordinal with similar code: the body was edited;
//  4. the entry and at least half of the ends: an end came or went;
//  5. one that a person wrote without a pattern, if all of its code is the same;
//  6. by the first three, what the inferred one is without what was added for healing.
//
// A section over several variables that a person wrote may be of another pattern.
func matchSections(old, inferred []*Section) []*Section {
	pairs := make([]*Section, len(inferred))
	taken := map[*Section]bool{}
	for _, same := range []func(o, n *Section) bool{
		sameLocations, sameCode, sameByEither, sameInPart, sameBesidesPattern, sameCore,
	} {
		for i, n := range inferred {
			if pairs[i] != nil {
				continue
			}
			for _, o := range old {
				if !taken[o] && o.Function == n.Function && slices.Equal(o.With, n.With) && same(o, n) {
					pairs[i], taken[o] = o, true
					break
				}
			}
		}
	}
	return pairs
}

func samePattern(o, n *Section) bool {
	return o.Pattern == n.Pattern || o.Pattern == User && len(o.With) > 0
}

func sameBesidesPattern(o, n *Section) bool {
	return (o.Pattern == User) != (n.Pattern == User) && (every(o, n, identical) || every(o, n, byCode))
}

func sameCore(o, n *Section) bool {
	n = n.Core
	return n != nil && (sameLocations(o, n) || sameCode(o, n) || sameByEither(o, n) || sameBesidesPattern(o, n))
}

// every reports whether entry and ends of o and n match one to one.
func every(o, n *Section, same func(o, n Location) bool) bool {
	if len(o.Ends) != len(n.Ends) || !same(o.Entry, n.Entry) {
		return false
	}
	return !slices.Contains(matchEnds(o, n, same), -1)
}

// matchEnds returns for each end of n the index of that end in o, or -1.
func matchEnds(o, n *Section, same func(o, n Location) bool) []int {
	of := make([]int, len(n.Ends))
	taken := make([]bool, len(o.Ends))
	for i, e := range n.Ends {
		of[i] = -1
		for j, f := range o.Ends {
			if !taken[j] && f.Variable == e.Variable && same(f.Location, e.Location) {
				of[i], taken[j] = j, true
				break
			}
		}
	}
	return of
}

func identical(o, n Location) bool {
	return o.Access == n.Access && o.Ordinal == n.Ordinal && o.Code == n.Code
}

// byCode leaves locations that a person gave by ordinal alone to the ordinal.
func byCode(o, n Location) bool {
	if o.Code == "" {
		return byOrdinal(o, n)
	}
	return o.Access == n.Access && SameCode(o.Code, n.Code)
}

// SameCode reports whether two pieces of Go code, each on one line, are the same
// but for white space, which people set in other places than atomrace does: the
// n-1 that they copy from a slice expression is n - 1 when infer writes it.
func SameCode(a, b string) bool {
	for {
		a, b = strings.TrimLeft(a, " \t"), strings.TrimLeft(b, " \t")
		if a == "" || b == "" || a[0] != b[0] {
			return a == b
		}
		a, b = a[1:], b[1:]
	}
}

func byOrdinal(o, n Location) bool {
	return o.Access == n.Access && o.Ordinal != 0 && o.Ordinal == n.Ordinal
}

func byEither(o, n Location) bool { return byCode(o, n) || byOrdinal(o, n) }

func bySimilar(o, n Location) bool { return byOrdinal(o, n) && Similar(o.Code, n.Code) }

func sameLocations(o, n *Section) bool { return samePattern(o, n) && every(o, n, identical) }

func sameCode(o, n *Section) bool { return samePattern(o, n) && every(o, n, byCode) }

func sameByEither(o, n *Section) bool {
	if !samePattern(o, n) {
		return false
	}
	if every(o, n, bySimilar) {
		return true
	}
	oneByCode := byCode(o.Entry, n.Entry)
	for _, j := range matchEnds(o, n, byCode) {
		oneByCode = oneByCode || j >= 0
	}
	return oneByCode && every(o, n, byEither)
}

func sameInPart(o, n *Section) bool {
	if !samePattern(o, n) || !byCode(o.Entry, n.Entry) && !bySimilar(o.Entry, n.Entry) {
		return false
	}
	found := 0
	for _, j := range matchEnds(o, n, byCode) {
		if j >= 0 {
			found++
		}
	}
	return 2*found >= max(len(o.Ends), len(n.Ends))
}

// refresh brings the locations up to date with those inferred and reports
// whether anything changed. The accesses that a person allows at an end stay;
// so do the ends of a section that a person wrote.
func (s *Section) refresh(n *Section) bool {
	if n.Core != nil && !s.isLike(n) && s.isLike(n.Core) {
		if s.Origin == string(User) {
			return s.refresh(n.Core)
		}
		s.refresh(n.Core)
		s.grow(n)
		return true
	}
	changed := s.Entry.refresh(n.Entry)
	var of []int
	for _, same := range []func(o, n Location) bool{identical, byCode, byEither} {
		if of = matchEnds(s, n, same); !slices.Contains(of, -1) {
			break
		}
	}
	if s.Origin == string(User) || len(s.Ends) == len(n.Ends) && !slices.Contains(of, -1) {
		for i, j := range of {
			if j >= 0 {
				changed = s.Ends[j].refresh(n.Ends[i].Location) || changed
			}
		}
		return changed
	}
	ends := slices.Clone(n.Ends)
	for i, j := range of {
		if j >= 0 {
			ends[i].Allow, ends[i].Also = s.Ends[j].Allow, s.Ends[j].Also
		}
	}
	s.Ends = ends
	return true
}

// isLike says whether all locations of the section are those of n, more or less.
func (s *Section) isLike(n *Section) bool { return every(s, n, byEither) }

// grow gives the section, which has the locations of n.Core, those of n. What a person
// allows at an end holds for what takes its place.
func (s *Section) grow(n *Section) {
	s.Entry = n.Entry
	ends := slices.Clone(n.Ends)
	for i, j := range matchEnds(s, n.Core, identical) {
		if j >= 0 && len(ends) == len(n.Core.Ends) {
			ends[i].Allow, ends[i].Also = s.Ends[j].Allow, s.Ends[j].Also
		}
	}
	s.Ends = ends
}

// refresh leaves a field alone that a person did not give, and white space as it is.
func (l *Location) refresh(n Location) bool {
	old := *l
	if l.Code != "" && !SameCode(l.Code, n.Code) {
		l.Code = n.Code
	}
	if l.Ordinal != 0 {
		l.Ordinal = n.Ordinal
	}
	if n.Line != 0 {
		l.Line = n.Line
	}
	return *l != old
}

// Similar reports whether two pieces of Go code share most of their tokens, as
// they do after a renaming, or both compute the new value of the same operand from its
// old one, as i++ and i = (i + 1) % n do. Code that is not known is like any other.
func Similar(a, b string) bool {
	return a == "" || b == "" || Similarity(a, b) > 0.5 || updated(a) != "" && updated(a) == updated(b)
}

// updated is the operand of a statement that computes its new value from the old one;
// empty for other code.
func updated(code string) string {
	list := tokens(code)
	for i, t := range list {
		operand := strings.Join(list[:i], " ")
		switch {
		case t == "++", t == "--", len(t) > 1 && strings.HasSuffix(t, "=") && strings.Contains("+-*/%&|^<>", t[:1]) && !slices.Contains([]string{"<=", ">="}, t):
			return operand
		case t == "=" && i > 0:
			from := strings.ReplaceAll(" "+strings.Join(list[i+1:], " ")+" ", " . "+operand+" ", "") // of something else
			if strings.Contains(from, " "+operand+" ") {
				return operand
			}
			return ""
		case !token.IsIdentifier(t) && t != "." && t != "*":
			return ""
		}
	}
	return ""
}

// Similarity returns which part of the tokens of two pieces of Go code is the
// same, from 0 for nothing to 1 for all.
func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	count := map[string]int{}
	x, y := tokens(a), tokens(b)
	for _, t := range x {
		count[t]++
	}
	shared := 0
	for _, t := range y {
		if count[t] > 0 {
			count[t]--
			shared++
		}
	}
	return float64(shared) / float64(max(len(x), len(y), 1))
}

func tokens(code string) []string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(code)), []byte(code), nil, 0)
	var list []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON && lit == "\n":
		case tok.IsLiteral():
			list = append(list, lit)
		default:
			list = append(list, tok.String())
		}
	}
}
