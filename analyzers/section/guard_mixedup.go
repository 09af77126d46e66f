package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// mixedUp finds variables that each of many goroutines, or each request, sets to a value of its own and reads
// again, though they have it in common, and nobody ever holds a lock for it:
//
//	func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.user = r.FormValue("user"); s.render(w) }
//
//	var err error
//	for _, u := range urls {
//		go func() {
//			if err = fetch(u); err != nil { … }
//		}()
//	}
//
// What is read may be of another one. A value that is stored if there is none yet is not meant to be one's own.
// Nor need the body read a value of more than one word, which can become half of the one and half of the other.
func (s *search) mixedUp() {
	if !s.shared.Launched(s.body) && !s.shared.Contracted(s.body) || s.shared.Constructing(s.body) {
		return
	}
	going := s.shared.SetsGoing(s.body)
	told := map[access.Var]bool{}
	for _, w := range s.order {
		if w.via != nil || w.Mode != atomicity.Write || w.Kind != access.Cell || w.Update != nil || w.lit || w.later || len(w.held) > 0 || told[w.Var] || w.Var.Obj == nil || w.place.Root == nil || !s.ofSeveral(w) || s.madeAnew(w) || !s.ofOwn(w) || going && !s.capturedLocal(w) {
			continue
		}
		r := s.readAgain(w)
		torn := r == nil && s.tearsAlone(w)
		if r == nil && !torn || s.lockedAnywhere(w.Var) || s.toldOfFlag(w.Var) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
			continue
		}
		told[w.Var] = true
		if torn {
			s.tellTorn(w)
			continue
		}
		c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), r.Pos())
		c.Roles = [2]string{"set", "read again"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is one variable of many goroutines: each sets it here and reads it again, and what it reads can be what another one has set; no lock is ever held for it", types.ExprString(w.Expr))
		s.tell(c, w, r.Access)
	}
}

// ofOwn says whether what is stored at w comes from a call, or from what the body was given or has found.
func (s *search) ofOwn(w *occurrence) bool {
	values := stored(w.Access)
	if len(values) == 0 {
		_, assigned := w.Stmt.(*ast.AssignStmt)
		return assigned
	}
	own := false
	ast.Inspect(values[0], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := s.pkg.Info.Types[n.Fun]
			own = own || !tv.IsType() && !tv.IsBuiltin()
		case *ast.Ident:
			v, ok := s.pkg.Info.Uses[n].(*types.Var)
			own = own || ok && !v.IsField() && !accesses.IsGlobal(v) && s.body.Node.Pos() <= v.Pos() && v.Pos() < s.body.Node.End() && v != w.place.Root
		}
		return !own
	})
	return own
}

// readAgain is a read of what was stored at w, later in the body, if it has not looked at it before.
func (s *search) readAgain(w *occurrence) (again *occurrence) {
	for _, r := range s.order {
		if r.Var != w.Var || r.Mode != atomicity.Read || !r.sameInstance(w) {
			continue
		}
		if s.leadsTo(r, w) && !s.leadsTo(w, r) {
			return nil
		}
		if again == nil && !r.later && s.leadsTo(w, r) {
			again = r
		}
	}
	return again
}
