package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

const keysFixed = "no key is added once the map is made"

// lengthFixed says whether the candidate is about the length of a map whose keys are all there when
// the object is made: what others change afterwards is what stands at a key that they have found.
//
//	if len(p.uses) == 0 { return "" }
//	p.mu.Lock()
//	for name, n := range p.uses { … }
//	p.uses[best]++
func (s *search) lengthFixed(c *Candidate) bool {
	if c.Entry == nil || c.Via != nil || c.Entry.Kind != access.MapWhole || c.Entry.Mode != atomicity.Read || !isLen(c.Entry.Expr, s.pkg.Info) {
		return false
	}
	found := false
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		for _, o := range s.states[b].order {
			if o.Mode != atomicity.Write || o.via != nil || o.Var.Obj != c.Variable.Obj {
				continue
			}
			if o.Kind != access.MapElement || o.Method != "" || o.Key == nil || !s.keyThere(b, o) {
				return false
			}
			found = true
		}
	}
	return found
}

// isLen matches len(x).
func isLen(e ast.Expr, info *types.Info) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && b.Name() == "len"
}

// keyThere says whether the write is at a key that the body has got from a loop over the map, or
// has found there in the same branch.
func (s *search) keyThere(b *accesses.Body, o *occurrence) bool {
	id, ok := ast.Unparen(o.Key).(*ast.Ident)
	if !ok {
		return false
	}
	if s.fromLoop(b, id, o, 0) {
		return true
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		test, ok := n.(*ast.IfStmt)
		if !ok || o.Pos() < test.Body.Pos() || test.Body.End() <= o.Pos() {
			return !found
		}
		look, ok := test.Init.(*ast.AssignStmt)
		if !ok || look.Tok != token.DEFINE || len(look.Lhs) != 2 || len(look.Rhs) != 1 {
			return true
		}
		x, ok := ast.Unparen(look.Rhs[0]).(*ast.IndexExpr)
		cond, isIdent := ast.Unparen(test.Cond).(*ast.Ident)
		there, _ := look.Lhs[1].(*ast.Ident)
		if ok && isIdent && there != nil && s.pkg.Info.Uses[cond] == s.pkg.Info.Defs[there] && s.pkg.PlaceOf(x.X) == o.place && s.isObject(x.Index, s.pkg.Info.ObjectOf(id)) {
			found = true
		}
		return !found
	})
	return found
}

// fromLoop says whether all that the local ever is comes from the keys of loops over the map.
func (s *search) fromLoop(b *accesses.Body, id *ast.Ident, o *occurrence, depth int) bool {
	list := s.states[b].values.assigns[s.pkg.Info.ObjectOf(id)]
	return depth < 3 && len(list) > 0 && !slices.ContainsFunc(list, func(d assignment) bool {
		if from, ok := ast.Unparen(d.value).(*ast.Ident); ok && s.fromLoop(b, from, o, depth+1) {
			return false
		}
		return s.pkg.PlaceOf(d.value) != o.place || !s.isKeyOf(b, id, d.value)
	})
}

// isKeyOf says whether a loop of the body over x has the local as its key.
func (s *search) isKeyOf(b *accesses.Body, id *ast.Ident, x ast.Expr) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok && loop.X == x && loop.Key != nil {
			found = found || s.isObject(loop.Key, s.pkg.Info.ObjectOf(id))
		}
		return !found
	})
	return found
}
