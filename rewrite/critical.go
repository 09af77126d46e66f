package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// criticalSection is a critical section of a lock of the program.
type criticalSection struct {
	lock     *types.Var
	call     lockCall
	body     *ast.BlockStmt
	end      token.Pos
	declared bool // ends where criticalEnd says
}

// locks finds what may be waited for in the critical sections of each lock, and in
// the Holds ahead of them.
func (a *assurance) locks() {
	sections := map[ast.Stmt]bool{}
	for _, fn := range a.plan.accesses.Functions {
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					a.critical = append(a.critical, a.criticalIn(n.Body)...)
				}
			case *ast.FuncLit:
				a.critical = append(a.critical, a.criticalIn(n.Body)...)
			}
			return true
		})
	}
	for _, c := range a.critical {
		sections[c.call.stmt] = true
		a.add(c)
	}
	for _, file := range a.plan.pkg.Syntax {
		a.otherUses(file, sections)
	}
}

// criticalIn lists the critical sections of one function or function literal.
func (a *assurance) criticalIn(body *ast.BlockStmt) []criticalSection {
	var found []criticalSection
	calls := a.pass.lockCalls(body)
	for i, c := range calls {
		if c.defers || c.method != "Lock" && c.method != "RLock" {
			continue
		}
		s, ok := c.stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		if m := a.lockOf(s.X.(*ast.CallExpr)); m != nil {
			end, ok := criticalEnd(calls, i, body)
			found = append(found, criticalSection{m, c, body, end, ok})
		}
	}
	return found
}

// add enters what the critical section reaches, for the lock, and for the healing
// locks that are held ahead of it.
func (a *assurance) add(c criticalSection) {
	at := a.position(c.call.stmt.Pos())
	if !c.declared {
		a.edges[c.lock] = append(a.edges[c.lock], edge{anything{}, "keeps " + c.lock.Name() + " beyond the function that locks it" + at})
		return
	}
	if a.isOpen(c.lock) {
		a.edges[c.lock] = append(a.edges[c.lock], edge{anything{}, "may be in another package, which can lock " + c.lock.Name() + ", too"})
	}
	held := map[string]bool{}
	var holds []placedHold
	for _, h := range a.plan.placed {
		if h.lock.stmt == c.call.stmt {
			holds = append(holds, h)
			held[a.instanceOf(h)] = true
		}
	}
	within := func(own map[string]bool) []edge {
		r := a.newReach()
		r.own = own
		r.between(c.body, c.call.stmt.End(), c.end)
		return r.found
	}
	a.edges[c.lock] = append(a.edges[c.lock], within(held)...)
	for i, h := range holds {
		lock := a.lock(h.hook.access.Var)
		found := []edge{{c.lock, "takes " + c.lock.Name() + at}}
		for _, later := range holds[i+1:] {
			if a.instanceOf(later) != a.instanceOf(h) { // else it is had already
				found = append(found, edge{a.lock(later.hook.access.Var), "takes the healing lock of " + later.name() + at})
			}
		}
		found = append(found, within(held)...)
		a.edges[lock] = append(a.edges[lock], found...)
		a.holds[lock] = append(a.holds[lock], found...)
	}
}

// instanceOf names the instance of the healing lock that the Hold takes.
func (a *assurance) instanceOf(h placedHold) string {
	return a.lockInstance(h.hook.access.Var, h.root, h.root.Name()+h.fields)
}

// otherUses finds the uses of locks that are no critical section: method values,
// TryLock, Lock in an expression, and addresses that go elsewhere. Nobody knows what
// is done while such a lock is held.
func (a *assurance) otherUses(file *ast.File, sections map[ast.Stmt]bool) {
	known := map[ast.Expr]bool{} // calls and addresses that are accounted for
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if sections[n] {
				known[n.X.(*ast.CallExpr).Fun] = true
			}
		case *ast.CallExpr:
			if f := a.callee(n); f != nil && f.FullName() == "sync.NewCond" && len(n.Args) == 1 {
				known[ast.Unparen(n.Args[0])] = true // Wait is anything, where it is called
			}
		case *ast.SelectorExpr:
			f, _ := a.pass.info.Uses[n.Sel].(*types.Func)
			if f == nil || known[n] {
				break
			}
			if m := a.mutex(n); m != nil {
				switch f.Name() {
				case "Unlock", "RUnlock":
				default:
					a.edges[m] = append(a.edges[m], edge{anything{}, "locks " + m.Name() + " in a way that is not followed" + a.position(n.Pos())})
				}
			}
		case *ast.UnaryExpr:
			if n.Op != token.AND || known[n] || !isMutex(a.pass.info.TypeOf(n.X)) {
				break
			}
			if m := a.lastVar(n.X); m != nil {
				a.edges[m] = append(a.edges[m], edge{anything{}, "passes on " + m.Name() + a.position(n.Pos())})
			}
		}
		return true
	})
}

// lockOf is the lock that the call of Lock or RLock locks, nil if it cannot be told.
func (a *assurance) lockOf(call *ast.CallExpr) *types.Var {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	return a.mutex(sel)
}

// mutex is the variable of type sync.Mutex or sync.RWMutex whose method sel selects;
// nil for other methods, and for locks that are reached by a pointer, since two
// pointers may lead to one lock.
func (a *assurance) mutex(sel *ast.SelectorExpr) *types.Var {
	f, _ := a.pass.info.Uses[sel.Sel].(*types.Func)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync" {
		return nil
	}
	s := a.pass.info.Selections[sel]
	if s == nil || f.Signature().Recv() == nil || !isMutex(types.Unalias(f.Signature().Recv().Type())) {
		return nil
	}
	if path := s.Index(); len(path) > 1 { // promoted
		return embedded(s.Recv(), path[:len(path)-1])
	}
	if !isMutexValue(a.pass.info.TypeOf(sel.X)) {
		return nil
	}
	return a.lastVar(sel.X)
}

// embedded is the last field on the path into t, nil if it is a pointer.
func embedded(t types.Type, path []int) (f *types.Var) {
	for _, i := range path {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		f = s.Field(i)
		t = f.Type()
	}
	if f == nil || !isMutexValue(f.Type()) {
		return nil
	}
	return f.Origin()
}

func isMutexValue(t types.Type) bool {
	return t != nil && (isNamed(t, "sync", "Mutex") || isNamed(t, "sync", "RWMutex")) && !isPointerType(t)
}

func isMutex(t types.Type) bool {
	return t != nil && (isNamed(t, "sync", "Mutex") || isNamed(t, "sync", "RWMutex"))
}

func isPointerType(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// lastVar is the field or variable that e denotes.
func (a *assurance) lastVar(e ast.Expr) *types.Var {
	var v *types.Var
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ = a.pass.info.ObjectOf(e).(*types.Var)
	case *ast.SelectorExpr:
		v, _ = a.pass.info.ObjectOf(e.Sel).(*types.Var)
	}
	if v == nil {
		return nil
	}
	return v.Origin()
}

// callee is the function or method that the call names, nil for function values.
func (a *assurance) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var f *types.Func
	switch fun := fun.(type) {
	case *ast.Ident:
		f, _ = a.pass.info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		f, _ = a.pass.info.Uses[fun.Sel].(*types.Func)
	}
	if f == nil {
		return nil
	}
	return f.Origin()
}
