package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
)

// capturedLocal says whether w is of a local of the function around the literal that the body is.
func (s *search) capturedLocal(w *occurrence) bool {
	return !w.Var.Obj.IsField() && !accesses.IsGlobal(w.Var.Obj)
}

// tearsAlone says whether w stores a value of more than one word in a variable that all of them have, a local of the
// function around them, one of the package, or a field of the handler, which the body does not look at before, and no
// condition lets one goroutine alone come to it. An object that a call has handed out may be one's own.
//
//	for _, u := range urls {
//		wg.Go(func() {
//			if e := fetch(u); e != nil { err = e }
//		})
//	}
func (s *search) tearsAlone(w *occurrence) bool {
	if w.Var.Obj.IsField() {
		around := s.body.Outermost()
		if around.Func == nil || w.place.Root != types.Object(around.Func.Signature().Recv()) || !s.shared.Serves(around) && !s.shared.Contracted(around) {
			return false
		}
	}
	for _, r := range s.order {
		if r.Var == w.Var && r.Mode == atomicity.Read && r.sameInstance(w) && s.leadsTo(r, w) {
			return false
		}
	}
	return severalWords(w.Var.Obj.Type()) && !s.oneComes(w)
}

// oneComes says whether a condition ahead of w holds for one goroutine alone, as far as its form tells: an indivisible
// operation says so, or it picks one of them.
func (s *search) oneComes(w *occurrence) bool {
	found := false
	for block, conds := range s.body.Conds {
		if decides, _ := s.decides(block, w.block); !decides {
			continue
		}
		for _, cond := range conds {
			ast.Inspect(cond, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					found = found || picking.MatchString(calledName(n))
				case *ast.BinaryExpr:
					t := s.pkg.Info.TypeOf(n.X) // nil where something does not compile
					if n.Op == token.EQL && t != nil {
						basic, ok := t.Underlying().(*types.Basic)
						found = found || ok && basic.Info()&(types.IsInteger|types.IsString) != 0
					}
				}
				return !found
			})
		}
	}
	return found
}

var picking = pattern.New(`^(CompareAndSwap|Swap|Add|TryLock|LoadOrStore|LoadAndDelete|CAS|Inc|Dec)`)

// tellTorn tells of w, which tearsAlone.
func (s *search) tellTorn(w *occurrence) {
	c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), w.Pos())
	c.Roles = [2]string{"set", "set by another goroutine"}
	c.Alike = fmt.Sprint(c.Category, c.Name)
	c.Message = fmt.Sprintf("%s is one variable of many goroutines: each sets it here, at the same time, and what is read can be half of one value and half of another; no lock is ever held for it", types.ExprString(w.Expr))
	s.tell(c, w, w.Access)
}
