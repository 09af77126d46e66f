package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sized says whether the end adds an entry to the map of which the entry has read how long
// it is, where the length is the new key, or bounds how many there may be: of two that
// have read one length, the second replaces what the first has stored, or exceeds the
// bound.
func (f *finding) sized(end *hit) bool {
	return f.numbered(end) || f.lengthens(end) && f.bounds(end)
}

// lengthens says whether the end stores an entry of the map that the entry reads.
func (f *finding) lengthens(end *hit) bool {
	return f.entry.Kind == access.MapWhole && end.Kind == access.MapElement && end.Mode == atomicity.Write && end.Method != "delete" && f.entry.via == nil && (end.via == nil || end.lit)
}

// numbered says whether the end stores an entry whose key is the length that the entry has
// read.
func (f *finding) numbered(end *hit) bool {
	return f.lengthens(end) && f.isLength(end.Key, 0)
}

// isLength says whether e is made of len(m), where that is what the entry reads.
func (f *finding) isLength(e ast.Expr, depth int) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if !ok || len(n.Args) != 1 {
				return !found
			}
			b, ok := f.pkg.Info.Uses[id].(*types.Builtin)
			found = found || ok && b.Name() == "len" && ast.Unparen(n.Args[0]) == ast.Unparen(f.entry.Cell)
		case *ast.Ident:
			for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(n)] {
				found = found || depth < 3 && f.isLength(d.value, depth+1)
			}
		}
		return !found
	})
	return found
}

// bounds says whether a test that compares the length with a bound decides about the end,
// and the other way is no mere return: it answers by an error, or does something.
func (f *finding) bounds(end *hit) bool {
	for _, test := range f.trail.tests {
		decides, edge := f.decides(test, end.block)
		if !decides || len(f.body.Conds[test]) != 1 {
			continue
		}
		if f.comparesLength(f.body.Conds[test][0]) && (f.does(test, 1-edge, nil) || f.turnsGivenAway(test, 1-edge) || f.returnsError(f.body.CFG.Blocks[test].Succs[1-edge].Nodes)) {
			return true
		}
	}
	return false
}

// turnsGivenAway says whether the branch closes what the function was given, as a connection
// too many.
func (f *finding) turnsGivenAway(test, edge int) bool {
	succs := f.body.CFG.Blocks[test].Succs
	mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
	for i, events := range f.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || !mine[i] || other[i] {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || !endings.MatchString(sel.Sel.Name) {
				continue
			}
			if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && f.isParameter(id) {
				return true
			}
		}
	}
	return false
}

// comparesLength says whether the condition compares the length with a bound other than 0.
func (f *finding) comparesLength(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok {
			switch b.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				found = found || !f.isZero(b.X) && !f.isZero(b.Y) && (f.isLength(b.X, 0) || f.isLength(b.Y, 0))
			}
		}
		return !found
	})
	return found
}

// returnsError says whether the nodes of a block end in the return of an error that is
// not nil.
func (s *search) returnsError(nodes []ast.Node) bool {
	if len(nodes) == 0 {
		return false
	}
	ret, ok := nodes[len(nodes)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	tv := s.pkg.Info.Types[ret.Results[len(ret.Results)-1]]
	return tv.Type != nil && !tv.IsNil() && isError(tv.Type)
}
