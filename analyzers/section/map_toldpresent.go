package section

import (
	"go/ast"
	"go/constant"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// toldPresent are the reads of entries of maps of which b tells by its last result whether there
// is one, though it returns only a part of the entry, or something made of it:
//
//	item, ok := c.items[key]
//	if !ok { return nil, false }
//	return item.value, true
//
// Whoever asks b by key tests the entry. Importers are not told so: what they know of a map
// of another package is that it is one, see [search.twoSteps].
func (s *search) toldPresent(b *accesses.Body, st *bodyState) map[*access.Access]bool {
	if !s.saysWhether(b) {
		return nil
	}
	set := map[*access.Access]bool{}
	for _, o := range st.order {
		if o.Mode != atomicity.Read || o.Kind != access.MapElement || o.via != nil {
			continue
		}
		for _, conds := range b.Conds {
			for _, c := range conds {
				set[o.Access] = set[o.Access] || s.asksPresence(c, o.Access)
			}
		}
	}
	return set
}

// saysWhether says whether the last of several results of b is the constant true at some of its
// returns, false at others, and nothing else.
func (s *search) saysWhether(b *accesses.Body) bool {
	yes, no := false, false
	for _, events := range b.Events {
		for _, ev := range events {
			ret, ok := ev.Node.(*ast.ReturnStmt)
			if !ok || ev.Kind != accesses.OnReturn {
				continue
			}
			results := s.pkg.PlainReturn(ret).Results
			if len(results) < 2 {
				return false
			}
			last := s.pkg.Info.Types[results[len(results)-1]].Value
			if last == nil || last.Kind() != constant.Bool {
				return false
			}
			yes, no = yes || constant.BoolVal(last), no || !constant.BoolVal(last)
		}
	}
	return yes && no
}

// asksPresence says whether the condition is the second result of the read, e, ok := m[k], or
// its opposite.
func (s *search) asksPresence(cond ast.Expr, a *access.Access) bool {
	cond = ast.Unparen(cond)
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		cond = ast.Unparen(not.X)
	}
	id, ok := cond.(*ast.Ident)
	set, isSet := a.Stmt.(*ast.AssignStmt)
	if !ok || !isSet || len(set.Lhs) != 2 || len(set.Rhs) != 1 {
		return false
	}
	second, ok := set.Lhs[1].(*ast.Ident)
	return ok && s.pkg.Info.ObjectOf(second) == s.pkg.Info.ObjectOf(id)
}
