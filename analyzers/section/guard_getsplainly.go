package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
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
	for w := range s.shared.Use(o.Var).Writers() {
		if fn := w.Func; fn != nil && fn.Exported() && fn.Signature().Recv() != nil && !s.shared.SetsGoing(w) && s.shared.Entered(w) {
			theirs := false
			s.inState(w, func() {
				theirs = slices.ContainsFunc(s.order, func(k *occurrence) bool { return k.Var == o.Var && k.Mode == atomicity.Write && !s.ofNewCopy(k) })
			})
			if theirs {
				return true
			}
		}
	}
	return false
}

// ofNewCopy says whether the body writes a field of what a function has made for it, a new object or
// a copy of one: c := l.clone(); c.name = name.
func (s *search) ofNewCopy(k *occurrence) bool {
	list := s.values.assigns[k.place.Root]
	if k.Kind != access.Cell || k.via != nil || len(list) != 1 || strings.Count(k.place.Path, ".") != 1 {
		return false
	}
	call, ok := ast.Unparen(list[0].value).(*ast.CallExpr)
	return ok && s.returnsCopies(s.pkg.ByFunc[s.locks.Callee(call)])
}

// returnsCopies says whether all that the function returns are new objects, or locals that hold a
// whole struct.
func (s *search) returnsCopies(b *accesses.Body) bool {
	if b == nil {
		return false
	}
	found, other := false, false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) != 1 || !s.isNewObject(n.Results[0], 0) && !s.isLocalStruct(b, n.Results[0]) {
				other = true
			}
			found = true
		}
		return true
	})
	return found && !other
}

// isLocalStruct says whether the expression is &v, where the body declares the struct v itself.
func (s *search) isLocalStruct(b *accesses.Body, e ast.Expr) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return false
	}
	id, ok := ast.Unparen(u.X).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := s.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.Pos() < b.Block.Pos() || b.Block.End() < v.Pos() {
		return false
	}
	_, isStruct := v.Type().Underlying().(*types.Struct)
	return isStruct
}

// boundFirst says whether all who write the variable, once it is shared, are methods that are called
// before all others.
func (s *search) boundFirst(v access.Var) bool {
	found := false
	for w := range s.shared.Use(v).Writers() {
		if s.shared.Constructing(w) {
			continue
		}
		if fn := w.Outermost().Func; fn == nil || !s.saidFirst(fn) {
			return false
		}
		found = true
	}
	return found
}

// saidFirst says whether the comment of the method says that it is called before all others.
func (s *search) saidFirst(fn *types.Func) bool {
	b := s.pkg.ByFunc[fn]
	if b == nil {
		return false
	}
	d, ok := b.Node.(*ast.FuncDecl)
	return ok && firstDoc.MatchString(plainText(d.Doc))
}

var firstDoc = pattern.New(`(?i)\b(must|should|has to|have to|is to|only|may only)\b[^.]*\bbefore\b[^.]*\b(any|all|every|the)( of the)? (other|others|use|call|first)\b`)

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
