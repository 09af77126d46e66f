package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// clonedApart finds copies of an object that get a lock of their own and share with the first what
// that lock guards: a map that methods change, or a writer that they write to.
//
//	c := *l              // or return &Logger{out: l.out, levels: l.levels}
//	c.mu = &sync.Mutex{}
//	return &c
//
// Each of the two keeps out those who have the same object, and nobody else.
func (s *search) clonedApart() {
	if s.shared.Constructing(s.body) && s.body.Func != nil && s.body.Func.Signature().Recv() == nil {
		return
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Tok != token.DEFINE {
				return true
			}
			if star, ok := ast.Unparen(n.Rhs[0]).(*ast.StarExpr); ok {
				s.copiedWhole(identOf(n.Lhs[0]), identOf(star.X), n)
			}
		case *ast.CompositeLit:
			s.copiedByParts(n)
		}
		return true
	})
}

// copiedWhole is clonedApart for c := *x.
func (s *search) copiedWhole(clone, from *ast.Ident, at ast.Node) {
	if clone == nil || from == nil {
		return
	}
	local := s.pkg.Info.ObjectOf(clone)
	set := map[*types.Var]ast.Expr{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Lhs) == len(assign.Rhs) {
			for i, lhs := range assign.Lhs {
				sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
				if !ok {
					continue
				}
				if id := identOf(sel.X); id != nil && s.pkg.Info.ObjectOf(id) == local {
					if field, ok := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var); ok {
						set[field] = assign.Rhs[i]
					}
				}
			}
		}
		return true
	})
	for _, f := range accesses.Fields(local.Type()) {
		if _, pointer := f.Type().(*types.Pointer); pointer && isMutex(f.Type()) && set[f] != nil && s.isNewObject(set[f], 0) {
			s.sharesGuarded(s.pkg.Info.ObjectOf(from), f, at, func(field *types.Var) ast.Node {
				if set[field] != nil {
					return nil
				}
				return at
			})
		}
	}
}

// copiedByParts is clonedApart for T{out: x.out}.
func (s *search) copiedByParts(lit *ast.CompositeLit) {
	var from types.Object
	parts := map[*types.Var]ast.Expr{}
	t := s.pkg.Info.TypeOf(lit)
	if t == nil || !s.isOwnStruct(t) {
		return
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			return
		}
		field, ok := s.pkg.Info.ObjectOf(key).(*types.Var)
		if !ok {
			return
		}
		parts[field.Origin()] = kv.Value
		sel, ok := ast.Unparen(kv.Value).(*ast.SelectorExpr)
		if !ok || s.pkg.Info.ObjectOf(sel.Sel) != types.Object(field) {
			continue
		}
		if id := identOf(sel.X); id != nil && accesses.TypeName(s.pkg.Info.TypeOf(id)) == accesses.TypeName(t) {
			from = s.pkg.Info.ObjectOf(id)
		}
	}
	if from == nil {
		return
	}
	for _, f := range accesses.Fields(t) {
		_, pointer := f.Type().(*types.Pointer)
		if !isMutex(f.Type()) || !pointer && parts[f] != nil || pointer && (parts[f] == nil || !s.isNewObject(parts[f], 0)) {
			continue
		}
		s.sharesGuarded(from, f, lit, func(field *types.Var) ast.Node {
			sel, ok := parts[field].(*ast.SelectorExpr)
			if !ok {
				return nil
			}
			if id := identOf(sel.X); id == nil || s.pkg.Info.ObjectOf(id) != from || s.pkg.Info.ObjectOf(sel.Sel) != types.Object(field) {
				return nil
			}
			return sel
		})
	}
}

// isOwnStruct says whether the type is a struct that the package declares.
func (s *search) isOwnStruct(t types.Type) bool {
	tn := accesses.TypeName(t)
	_, ok := t.Underlying().(*types.Struct)
	return ok && tn != nil && tn.Pkg() == s.pkg.Types
}

// sharesGuarded tells of the first field that is the same in the copy, which sharedAt says, and guarded by
// the lock in the field, of which the copy has one of its own.
func (s *search) sharesGuarded(from types.Object, lock *types.Var, at ast.Node, sharedAt func(*types.Var) ast.Node) {
	if from == nil || accesses.TypeName(from.Type()) == nil {
		return
	}
	owner, ok := accesses.TypeName(from.Type()).Type().Underlying().(*types.Struct)
	if !ok {
		return
	}
	class := locks.ClassOf(accesses.Place{Root: from, Path: "." + lock.Name()})
	for f := range owner.Fields() {
		where := sharedAt(f.Origin())
		if where == nil {
			continue
		}
		how := "changes"
		var keeper ast.Node
		var in *access.Function
		if isMap(f.Type()) {
			v := access.Var{Obj: f.Origin(), Contents: true}
			if !s.changedUnder(v, class, nil) {
				continue
			}
			w, fn := s.another(v, s.body, func(k *occurrence) bool { return k.heldAs(class) == locks.Exclusive })
			if w == nil {
				continue
			}
			keeper, in = w.Expr, fn
		} else if keeper, in = s.streamedUnder(f.Origin(), class); keeper != nil {
			how = "writes to"
		}
		if keeper == nil {
			continue
		}
		a := &access.Access{Var: access.Var{Obj: f.Origin()}, Func: s.body.Fn}
		c := s.direct("testuse", "guarded-escape", a, where.Pos(), keeper.Pos())
		c.Roles = [2]string{"shared with the copy", "guarded by the lock"}
		c.Message = fmt.Sprintf("the copy gets a %s of its own here and shares %s with %s: %s %s it under that lock, which does not keep those out who have the other object", lock.Name(), f.Name(), from.Name(), in.Name, how)
		s.tell(c, &occurrence{Access: a, place: accesses.Place{Root: from, Path: "." + f.Name()}}, a)
		return
	}
}

// streamedUnder is where a function writes to what the field holds, if that has no lock of its own as
// far as is known, and all that do so hold a lock of the class.
func (s *search) streamedUnder(field *types.Var, class string) (at ast.Node, in *access.Function) {
	t := field.Type()
	if obj, _, _ := types.LookupFieldOrMethod(t, true, s.pkg.Types, "Write"); obj == nil || s.shared.Locks(t) || types.TypeString(t, nil) == "*os.File" || strings.HasPrefix(types.TypeString(t, nil), "net.") {
		return nil, nil
	}
	bare := false
	is := func(e ast.Expr) bool {
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		return s.variable(e) == field
	}
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				return
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			fn := s.locks.Callee(call)
			if !ok || fn == nil {
				return
			}
			writes := is(sel.X) && strings.HasPrefix(fn.Name(), "Write") || len(call.Args) > 0 && is(call.Args[0]) && (fn.Name() == "WriteTo" || fn.Pkg() != nil && slices.Contains(writing[fn.Pkg().Path()], fn.Name()))
			if !writes {
				return
			}
			if !slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool { return locks.ClassOf(l) == class && held[l] == locks.Exclusive }) {
				bare = true
			} else if at == nil {
				at, in = call, b.Fn
			}
		})
	}
	if bare {
		return nil, nil
	}
	return at, in
}
