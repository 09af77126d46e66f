package accesses

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
)

// A span is a part of the source and where it begins in the order of the body that it was
// put into.
type span struct {
	from, to token.Pos
	at       token.Pos
}

// Order is the place of a position in the order of the text, where that of a function that
// was put in the place of its call comes where the call is.
func (p *Package) Order(pos token.Pos) token.Pos {
	if len(p.spans) == 0 {
		return pos
	}
	i, found := slices.BinarySearchFunc(p.spans, pos, func(s span, pos token.Pos) int { return cmp.Compare(s.from, pos) })
	if !found {
		i--
	}
	if i < 0 || pos >= p.spans[i].to {
		return pos
	}
	return p.spans[i].at + pos - p.spans[i].from
}

// layOut puts the spans of the joined functions in order.
func (p *Package) layOut(joined map[*ast.FuncDecl]*whole) {
	for _, w := range joined {
		at := w.decls[0].Pos()
		add := func(from, to token.Pos) {
			if from < to {
				p.spans = append(p.spans, span{from, to, at})
				at += to - from
			}
		}
		end := w.decl.Body.Rbrace
		var lay func(fn *ast.FuncDecl, calls []joint)
		lay = func(fn *ast.FuncDecl, calls []joint) {
			from := fn.Pos()
			for _, c := range calls {
				add(from, c.call.End())
				lay(c.of, c.below)
				from = c.call.End()
			}
			if fn.Body.Rbrace == end {
				add(from, end)
			} else {
				add(from, fn.End())
			}
		}
		lay(w.decls[0], w.joints)
		add(end, end+1)
	}
	slices.SortFunc(p.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
}

// Apart is, for each of two places in a function with the parts that it is made of, the call
// by way of which control comes there from that one of these which has both; nil for a place
// that lies in it.
func (p *Package) Apart(a, b token.Pos) (toA, toB *ast.CallExpr) {
	for _, w := range p.joined {
		x, y := w.path(a), w.path(b)
		if x == nil || y == nil {
			continue
		}
		for len(x) > 1 && len(y) > 1 && x[1].of == y[1].of {
			x, y = x[1:], y[1:]
		}
		if len(x) > 1 {
			toA = x[1].call
		}
		if len(y) > 1 {
			toB = y[1].call
		}
		return toA, toB
	}
	return nil, nil
}

// path is the way to the declaration in the source that the place lies in, by the calls from
// the first one, which none leads to; nil if it is no part.
func (w *whole) path(pos token.Pos) []joint {
	var find func(from joint) []joint
	find = func(from joint) []joint {
		if from.of.Pos() <= pos && pos < from.of.End() {
			return []joint{from}
		}
		for _, j := range from.below {
			if rest := find(j); rest != nil {
				return append([]joint{from}, rest...)
			}
		}
		return nil
	}
	return find(joint{of: w.decls[0], below: w.joints})
}
