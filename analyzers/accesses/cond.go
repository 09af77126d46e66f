package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// findConds notes which condition variables have a lock that stands beside them, as
//
//	q.ready = sync.NewCond(&q.mu)
//
// says for all objects of the type: q.ready.L is q.mu. One that is given different
// locks, or a lock from elsewhere, is not noted.
func (p *Package) findConds() {
	p.condLocks = map[*types.Var]string{}
	for _, fn := range p.Functions {
		defined := map[types.Object]ast.Expr{} // locals, by what they begin as
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if len(n.Lhs) != len(n.Rhs) {
					return true
				}
				for i, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE {
						defined[p.Info.Defs[id]] = n.Rhs[i]
					} else if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok {
						p.assignedCond(sel, n.Rhs[i])
					}
				}
			case *ast.CompositeLit:
				p.literalConds(n, defined)
			}
			return true
		})
	}
}

// assignedCond takes up x.cond = sync.NewCond(lock) and x.cond.L = lock.
func (p *Package) assignedCond(l *ast.SelectorExpr, r ast.Expr) {
	lock := p.condOver(r)
	if lock == nil {
		cond, ok := ast.Unparen(l.X).(*ast.SelectorExpr)
		if !ok || !p.isCondLock(l) {
			return
		}
		l, lock = cond, r
	}
	if v, ok := p.Info.Uses[l.Sel].(*types.Var); ok && v.IsField() {
		p.noteCond(v, p.beside(l, lock))
	}
}

// literalConds takes up T{mu: lock, cond: sync.NewCond(lock)}.
func (p *Package) literalConds(lit *ast.CompositeLit, defined map[types.Object]ast.Expr) {
	field := func(el ast.Expr) (*types.Var, ast.Expr) {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			return nil, nil
		}
		id, ok := kv.Key.(*ast.Ident)
		if !ok {
			return nil, nil
		}
		v, _ := p.Info.Uses[id].(*types.Var)
		return v, ast.Unparen(kv.Value)
	}
	for _, el := range lit.Elts {
		cond, value := field(el)
		if id, ok := value.(*ast.Ident); ok {
			value = defined[p.Info.Uses[id]]
		}
		lock := p.condOver(value)
		if cond == nil || lock == nil {
			continue
		}
		beside := ""
		for _, other := range lit.Elts {
			v, value := field(other)
			a, isIdent := value.(*ast.Ident)
			b, same := ast.Unparen(lock).(*ast.Ident)
			if v != nil && isIdent && same && p.Info.Uses[a] != nil && p.Info.Uses[a] == p.Info.Uses[b] {
				beside = "." + v.Name()
			}
		}
		p.noteCond(cond, beside)
	}
}

// noteCond notes where the lock of the field stands, the empty path if elsewhere.
func (p *Package) noteCond(field *types.Var, beside string) {
	field = field.Origin()
	if known, ok := p.condLocks[field]; ok && known != beside {
		beside = ""
	}
	p.condLocks[field] = beside
}

// condOver is the lock with which e makes a condition variable, or nil.
func (p *Package) condOver(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !ok || len(e.Args) != 1 {
			return nil
		}
		if fn, ok := p.Info.Uses[sel.Sel].(*types.Func); ok && fn.FullName() == "sync.NewCond" {
			return e.Args[0]
		}
	case *ast.CompositeLit:
		if t := p.Info.TypeOf(e); t == nil || t.String() != "sync.Cond" {
			return nil
		}
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				return kv.Value // L is the only field that others can set
			}
		}
	}
	return nil
}

// beside is the path from the object that has the condition variable to the lock, if
// the lock is part of the same object.
func (p *Package) beside(cond *ast.SelectorExpr, lock ast.Expr) string {
	from, to := p.PlaceOf(cond.X), p.PlaceOf(lock)
	if !from.Valid() || !to.Valid() || from.Root != to.Root || !strings.HasPrefix(to.Path, from.Path) {
		return ""
	}
	rest := to.Path[len(from.Path):]
	if rest != "" && rest[0] != '.' {
		return ""
	}
	t := p.Info.TypeOf(lock)
	if t == nil || types.IsInterface(t) {
		return ""
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, p.Types, "Lock")
	if obj == nil {
		return ""
	}
	for _, i := range index[:len(index)-1] { // an embedded lock
		f := field(t, i)
		if f == nil {
			return ""
		}
		rest, t = rest+"."+f.Name(), f.Type()
	}
	return rest
}

// isCondLock says whether e is the field L of a sync.Cond.
func (p *Package) isCondLock(e *ast.SelectorExpr) bool {
	v, ok := p.Info.Uses[e.Sel].(*types.Var)
	return ok && v.IsField() && v.Name() == "L" && v.Pkg() != nil && v.Pkg().Path() == "sync"
}

// lockBeside is the place of the lock that e, the field L of a condition variable, is
// known to be.
func (p *Package) lockBeside(e *ast.SelectorExpr, depth int) Place {
	cond, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	if !ok {
		return Place{}
	}
	v, _ := p.Info.Uses[cond.Sel].(*types.Var)
	if v == nil {
		return Place{}
	}
	path := p.condLocks[v.Origin()]
	if path == "" {
		return Place{}
	}
	base := p.place(cond.X, depth+1)
	if !base.Valid() {
		return Place{}
	}
	return Place{base.Root, base.Path + path}
}

// CondLock is the place of the lock of a condition variable that is itself at the place.
func (p *Package) CondLock(cond Place) Place {
	if !cond.Valid() || cond.Root == nil {
		return Place{}
	}
	if v := cond.Field(); v != nil && p.condLocks[v.Origin()] != "" {
		return Place{cond.Root, strings.TrimSuffix(cond.Path, "."+v.Name()) + p.condLocks[v.Origin()]}
	}
	return Place{cond.Root, cond.Path + ".L"}
}

// Field is the field that the path of the place ends with, or nil.
func (pl Place) Field() *types.Var {
	if pl.Root == nil || pl.Path == "" {
		return nil
	}
	t, v := pl.Root.Type(), (*types.Var)(nil)
	for name := range strings.SplitSeq(pl.Path[1:], ".") {
		if v = fieldNamed(t, name); v == nil {
			return nil
		}
		t = v.Type()
	}
	return v
}

// fieldNamed is the field of a struct, or of one that a pointer leads to, or nil.
func fieldNamed(t types.Type, name string) *types.Var {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Name() == name {
				return f
			}
		}
	}
	return nil
}
