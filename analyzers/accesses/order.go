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
