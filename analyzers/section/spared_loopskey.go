package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity/access"
)

// loopsKey says whether the sequence is about one entry of a local map, at the key of the loop that runs
// the literal in a goroutine for each of its keys: for k := range dirs { g.Go(func() error { … seen[k] … }) }.
// No two of them have the same one.
func (f *finding) loopsKey(end *hit) bool {
	if f.entry.Kind != access.MapElement || f.entry.via != nil || end.Kind != access.MapElement || end.via != nil || f.entry.key != end.key {
		return false
	}
	lit, ok := f.body.Node.(*ast.FuncLit)
	id, named := keyIdent(f.entry)
	m, local := f.entry.place.Root.(*types.Var)
	out := f.body.Outermost().Block
	if !ok || !named || !local || m.Pos() < out.Pos() || m.Pos() > out.End() {
		return false
	}
	found := false
	ast.Inspect(out, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if ok && loop.Body.Pos() < lit.Pos() && lit.End() < loop.Body.End() && loop.Key != nil && loop.Body.Pos() > m.Pos() {
			key, _ := loop.Key.(*ast.Ident)
			switch f.values.underlying(loop.X).(type) {
			case *types.Map, *types.Slice, *types.Array, *types.Basic:
				found = found || key != nil && f.pkg.Info.Defs[key] != nil && f.pkg.Info.Defs[key] == f.pkg.Info.ObjectOf(id)
			}
		}
		return !found
	})
	return found
}
