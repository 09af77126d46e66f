package section

import (
	"go/ast"
	"slices"
)

// carried are the reads that locals in e have their values from when a loop around e has
// come round: for free < n { …; free = q.free }.
func (v *values) carried(e ast.Expr) sources {
	if len(v.loops) == 0 {
		return nil
	}
	into, known := v.around[e]
	if known {
		return into
	}
	into = sources{}
	if v.around == nil {
		v.around = map[ast.Expr]sources{}
	}
	v.around[e] = into
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := v.pkg.Info.ObjectOf(id)
		for _, d := range v.assigns[obj] {
			if d.at > v.pkg.Order(e.Pos()) && d.plain && slices.ContainsFunc(v.loops, func(l ast.Node) bool {
				return v.pkg.Order(obj.Pos()) < v.pkg.Order(l.Pos()) && v.pkg.Order(l.Pos()) <= v.pkg.Order(e.Pos()) && d.at <= v.pkg.Order(l.End())
			}) {
				for a, plain := range v.of(d.value) {
					if plain {
						into.add(a, true)
					}
				}
			}
		}
		return true
	})
	return into
}
