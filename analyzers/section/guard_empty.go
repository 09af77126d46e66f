package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// empty finds critical sections with nothing in them, mu.Lock() followed by
// mu.Unlock(), where the function goes on to what the lock guards elsewhere:
// the defer was forgotten. Without such an access the pair may be a barrier.
func (s *search) empty() {
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for i := 0; i+1 < len(list); i++ {
			lock, ok := s.lockStmt(list[i], locks.Acquire)
			if unlock, also := s.lockStmt(list[i+1], locks.Release); ok && also && lock.Lock == unlock.Lock {
				s.unprotected(list[i], list[i+1], lock.Lock)
			}
		}
		return true
	})
}

// lockStmt is the lock operation of the given kind that the statement is.
func (s *search) lockStmt(stmt ast.Stmt, kind locks.OpKind) (locks.Op, bool) {
	x, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return locks.Op{}, false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return locks.Op{}, false
	}
	ops := s.locks.Ops(accesses.Event{Kind: accesses.OnCall, Node: call})
	if len(ops) != 1 || ops[0].Kind != kind || ops[0].Try || ops[0].Lock.Root == nil {
		return locks.Op{}, false
	}
	return ops[0], true
}

// unprotected reports the first access after the empty section which is mostly
// made under the very lock in other functions, and under none here.
func (s *search) unprotected(lock, unlock ast.Stmt, place accesses.Place) {
	for _, o := range s.order {
		if s.pkg.Order(o.Pos()) < s.pkg.Order(unlock.End()) || o.held.Any() || o.place.Root != place.Root && !isPackageLevel(place.Root) {
			continue
		}
		u := s.shared.Use(o.Var)
		if u == nil || !u.MostlyGuarded(s.body) && !(o.Mode == atomicity.Write && u.MostlyRead(s.body)) || u.Locks[locks.ClassOf(place)] == 0 || s.reachOf(o) == shared.Private {
			continue
		}
		c := s.direct("discipline", "empty-critical-section", o.Access, lock.Pos(), o.Pos())
		c.Protected = place.String()
		c.Ends = []*access.Access{o.source()}
		c.Sure = true
		c.Message = fmt.Sprintf("%s is locked and unlocked at once; %s, which it guards elsewhere, is used afterwards without it", place, types.ExprString(o.Expr))
		s.found = append(s.found, c)
		return
	}
}

func isPackageLevel(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// direct makes a candidate that the spec cannot express: a diagnostic only.
func (s *search) direct(analyzer, category string, entry *access.Access, pos, end token.Pos) *Candidate {
	return &Candidate{
		Package:  s.pkg.Types.Path(),
		Variable: entry.Var,
		Name:     s.pkg.Name(entry.Var),
		Type:     types.TypeString(entry.Var.Obj.Type(), types.RelativeTo(s.pkg.Types)),
		Pattern:  atomicity.TestAndUse,
		Analyzer: analyzer,
		Entry:    entry,
		Category: category,
		Shared:   true,
		Pos:      pos,
		EndPos:   end,
	}
}

// tell reports c, whose one end is o, unless a comment excuses it; end is the
// access at the other end.
func (s *search) tell(c *Candidate, o *occurrence, end *access.Access) {
	c.Ends = []*access.Access{end}
	f := finding{search: s, entry: o}
	c.Sure = !f.excused(c) && !(c.Category == "write-under-rlock" && s.readsForAnother(o.held, o.Var))
	s.found = append(s.found, c)
}
