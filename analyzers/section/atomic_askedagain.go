package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// askedAgain finds objects that a getter of another package gives, itself or behind an interface,
// and that it is asked for once more after it was compared with nil:
//
//	if r.client.Server() == nil { return false }
//	return r.client.Server().Pending()
//
// The getter loads an atomic pointer, which a method of that package stores nil in that is made for
// several goroutines: the second call can return nil.
func (s *search) askedAgain() {
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // a body of its own
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for i, st := range list {
			test, ok := st.(*ast.IfStmt)
			if !ok || test.Init != nil {
				continue
			}
			call, isNil := s.comparedNil(test.Cond)
			if call == nil || !s.losesAtomically(call) {
				continue
			}
			then := []ast.Stmt{test.Body}
			if isNil {
				if then = list[i+1:]; !endsBlock(test.Body) {
					continue
				}
			}
			if again := s.usedAgain(call, then); again != nil {
				s.asksTwice(call, again)
			}
		}
		return true
	})
}

func (s *search) asksTwice(call, again *ast.CallExpr) {
	fn, _ := typeutil.Callee(s.pkg.Info, call).(*types.Func)
	a := &access.Access{Var: access.Var{Obj: fn.Signature().Recv()}, Mode: atomicity.Read, Func: s.body.Fn, Expr: call, Cell: call}
	c := s.direct("testuse", "atomic-check-then-act", a, call.Pos(), again.Pos())
	c.Name = types.ExprString(call)
	c.Roles = [2]string{"compared with nil", "asked for again"}
	c.Message = fmt.Sprintf("another goroutine can make %s nil after it was compared here and before it is used: two calls are two atomic operations", types.ExprString(call))
	s.tell(c, &occurrence{Access: a}, a)
}

// comparedNil is the call that the condition compares with nil, and whether it asks for nil.
func (s *search) comparedNil(cond ast.Expr) (call *ast.CallExpr, isNil bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ || !s.pkg.Info.Types[b.Y].IsNil() {
		return nil, false
	}
	call, _ = ast.Unparen(b.X).(*ast.CallExpr)
	return call, b.Op == token.EQL
}

// usedAgain is a call like the first one whose result is used at once, before the same is compared
// with nil anew.
func (s *search) usedAgain(call *ast.CallExpr, then []ast.Stmt) (again *ast.CallExpr) {
	same, over := types.ExprString(call), false
	for _, st := range then {
		ast.Inspect(st, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BinaryExpr:
				c, _ := s.comparedNil(n)
				over = over || c != nil && types.ExprString(c) == same
			case *ast.SelectorExpr:
				if c, ok := ast.Unparen(n.X).(*ast.CallExpr); ok && again == nil && !over && types.ExprString(c) == same {
					again = c
				}
			}
			return again == nil && !over
		})
		if over || again != nil {
			break
		}
	}
	return again
}

// endsBlock says whether the block returns or leaves the loop at its end.
func endsBlock(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// lost marks the entries of the fact that are about getters whose result can become nil.
const lost = "nil "

// losesAtomically says whether the call is one of such a getter, without arguments, of what a chain of
// variables names.
func (s *search) losesAtomically(call *ast.CallExpr) bool {
	fn, ok := typeutil.Callee(s.pkg.Info, call).(*types.Func)
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !isSel || len(call.Args) > 0 || fn.Pkg() == nil || fn.Pkg() == s.pkg.Types || fn.Signature().Recv() == nil || !s.pkg.PlaceOf(sel.X).Valid() {
		return false
	}
	_, ok = s.imports.Entry(fn.Pkg(), lost+facts.Key(fn.Origin()))
	return ok
}

// losing are the entries of the fact about the getters of the package, and the methods of its
// interfaces that such getters implement.
func (s *search) losing() (entries []facts.Entry) {
	getters := map[*types.Func]bool{}
	for _, b := range s.pkg.Bodies {
		if fn := b.Func; fn != nil && fn.Exported() && fn.Signature().Recv() != nil && s.loadsLost(b) {
			getters[fn] = true
			entries = append(entries, facts.Entry{Key: lost + facts.Key(fn), Data: []byte{1}})
		}
	}
	if len(getters) == 0 {
		return nil
	}
	scope := s.pkg.Types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() || tn.IsAlias() {
			continue
		}
		i, ok := tn.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for method := range i.ExplicitMethods() {
			for _, b := range s.pkg.Bodies { // in this order
				if fn := b.Func; getters[fn] && fn.Name() == method.Name() && types.Implements(fn.Signature().Recv().Type(), i) {
					entries = append(entries, facts.Entry{Key: lost + facts.Key(method), Data: []byte{1}})
					break
				}
			}
		}
	}
	return entries
}

// loadsLost says whether the method does nothing but load an atomic pointer of its receiver, to return
// it or what it points to, and a method that is made for several goroutines stores nil there.
func (s *search) loadsLost(b *accesses.Body) bool {
	sig := b.Func.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 || !pointers(sig.Results().At(0).Type()) && !types.IsInterface(sig.Results().At(0).Type()) || len(b.Block.List) > 4 {
		return false
	}
	var load *occurrence
	for _, o := range s.stateOf(b).order {
		switch {
		case o.Kind == access.Atomic && o.Mode == atomicity.Read && o.via == nil && o.Method == "Load" && o.place.Root == types.Object(sig.Recv()) && load == nil && !o.held.Any():
			load = o
		case o.Kind == access.Atomic || o.Mode == atomicity.Write:
			return false
		}
	}
	return load != nil && s.lostIn(load.Var)
}

// lostIn says whether a method whose object several goroutines have stores nil into the variable.
func (s *search) lostIn(v access.Var) bool {
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || b.Func.Signature().Recv() == nil || s.shared.Constructing(b) || s.shared.Object(b, b.Func.Signature().Recv()) < shared.Meant {
			continue
		}
		for _, o := range s.stateOf(b).order {
			values := stored(o.Access)
			if o.Var == v && o.Mode == atomicity.Write && o.via == nil && len(values) == 1 && s.pkg.Info.Types[values[0]].IsNil() {
				return true
			}
		}
	}
	return false
}
