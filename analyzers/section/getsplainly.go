package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/shared"
)

// getsPlainly says whether the body does nothing but return what o reads, the first of several
// words that are stored one after the other, as those of a string or a time.Time, where a
// method for outside callers that does not set objects going writes it:
//
//	func (s *slot) Value() string { return s.value } // elsewhere, under s.mu: s.value = v
func (s *search) getsPlainly(o *occurrence) bool {
	if len(s.body.Block.List) != 1 || !manyWords(o.Var.Obj.Type()) {
		return false
	}
	ret, ok := s.body.Block.List[0].(*ast.ReturnStmt)
	if !ok {
		return false
	}
	returned := false
	for _, r := range ret.Results {
		returned = returned || ast.Unparen(r) == o.Expr
	}
	if !returned {
		return false
	}
	for w := range s.shared.Use(o.Var).Writes {
		if fn := w.Func; fn != nil && fn.Exported() && fn.Signature().Recv() != nil && !shared.SetsGoing(w) && s.shared.Entered(w) {
			return true
		}
	}
	return false
}

// manyWords says whether a value of the type is stored in more than one step, and complete in
// itself: a slice or an interface leads further, see readElsewhere.
func manyWords(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Struct:
		return t.NumFields() > 1
	}
	return false
}
