package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A section whose accesses lie in several critical sections of the program's
// own lock is healed by a lock that is taken before the program's, in every
// critical section that touches the variable; else the two would be taken in
// both orders. placeHolds finds these critical sections and puts Hold before
// Lock and Release after Unlock (papers/001 section 5, and 5.1 on deadlocks).

// lockCall is a statement X.Lock(), X.Unlock() or defer X.Unlock().
type lockCall struct {
	stmt   ast.Stmt
	lock   string // X as written
	root   *types.Var
	direct bool // X is root.field…, so the statement dereferences root at once
	method string
	defers bool
}

func (p *pass) placeHolds() {
	healed := false
	for _, s := range p.plan.sections {
		healed = healed || s.spec.Heal != atomicity.HealOff
	}
	if !healed {
		return
	}
	for _, fn := range p.plan.accesses.Functions {
		if fn.File != p.file || isUninstrumentable(fn.Decl, p.file) {
			continue
		}
		if fn.Decl != nil {
			p.holdIn(fn.Decl, fn.Decl.Body)
		}
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				p.holdIn(lit, lit.Body)
			}
			return true
		})
	}
}

// holdIn places the holds of one function or function literal.
func (p *pass) holdIn(scope ast.Node, body *ast.BlockStmt) {
	calls := p.lockCalls(body)
	sites := map[string]int{}
	released := map[string][]int{} // lock → sites
	seen := map[string]bool{}
	for i, c := range calls {
		if c.defers || c.method != "Lock" && c.method != "RLock" {
			continue
		}
		end, ok := criticalEnd(calls, i, body)
		if !ok {
			continue
		}
		found := p.touches(scope, body, c.stmt.End(), end)
		// Several Holds stand in one order everywhere.
		slices.SortStableFunc(found, func(a, b touch) int { return strings.Compare(a.order(), b.order()) })
		for _, t := range found {
			if !p.holdable(c, t, body, end) {
				continue
			}
			name := c.lock + "\x00" + t.instance() + "\x00" + t.name()
			at := name + "\x00" + p.plan.pkg.Fset.Position(c.stmt.Pos()).String()
			if seen[at] {
				continue
			}
			seen[at] = true
			site, known := sites[name]
			if !known {
				site = len(sites)
				sites[name] = site
				released[c.lock] = append(released[c.lock], site)
			}
			p.hold(scope, c, end, t, site)
		}
	}
	for _, c := range calls {
		if c.defers {
			continue
		}
		for _, site := range released[c.lock] {
			switch c.method {
			case "Unlock", "RUnlock":
				p.insert(p.after, c.stmt, site)
			}
		}
		if c.method == "Wait" { // gives the lock up while it waits
			for _, list := range released {
				for _, site := range list {
					p.insert(p.before, c.stmt, site)
				}
			}
		}
	}
}

// lockCalls lists the lock operations of the body that are statements, in the
// order of the source, leaving out those in function literals.
func (p *pass) lockCalls(body *ast.BlockStmt) []lockCall {
	var calls []lockCall
	lists(body, func(list []ast.Stmt) {
		for _, s := range list {
			switch s := unlabelled(s).(type) {
			case *ast.ExprStmt:
				if c, ok := p.lockCall(s.X); ok {
					c.stmt = s
					calls = append(calls, c)
				}
			case *ast.DeferStmt:
				if c, ok := p.lockCall(s.Call); ok {
					c.stmt, c.defers = s, true
					calls = append(calls, c)
				} else if lit, ok := s.Call.Fun.(*ast.FuncLit); ok {
					for _, c := range p.lockCalls(lit.Body) {
						c.stmt, c.defers = s, true
						calls = append(calls, c)
					}
				}
			}
		}
	})
	sortByPos(calls, func(c lockCall) token.Pos { return c.stmt.Pos() })
	return calls
}

// lists calls visit for each statement list of the body.
func lists(body *ast.BlockStmt, visit func([]ast.Stmt)) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			visit(n.List)
		case *ast.CaseClause:
			visit(n.Body)
		case *ast.CommClause:
			visit(n.Body)
		}
		return true
	})
}

func (p *pass) lockCall(e ast.Expr) (lockCall, bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 0 {
		return lockCall{}, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return lockCall{}, false
	}
	f, ok := p.info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "sync" {
		return lockCall{}, false
	}
	switch f.Name() {
	case "Lock", "RLock", "Unlock", "RUnlock", "Wait":
	default:
		return lockCall{}, false
	}
	if recv := f.Signature().Recv(); f.Name() == "Wait" && (recv == nil || !isNamed(recv.Type(), "sync", "Cond")) {
		return lockCall{}, false
	}
	root, direct := p.chain(sel.X)
	return lockCall{lock: types.ExprString(sel.X), root: root, direct: direct, method: f.Name()}, true
}

func isNamed(t types.Type, pkg, name string) bool {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg
}

// chain is the variable at the root of root.a.b, and whether using the chain
// follows no pointer but root.
func (p *pass) chain(e ast.Expr) (root *types.Var, direct bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := p.info.ObjectOf(e).(*types.Var)
		return v, v != nil
	case *ast.SelectorExpr:
		sel := p.info.Selections[e]
		if sel == nil {
			v, _ := p.info.Uses[e.Sel].(*types.Var)
			return v, v != nil
		}
		root, direct = p.chain(e.X)
		if _, isPointer := p.info.TypeOf(e.X).Underlying().(*types.Pointer); isPointer {
			_, isIdent := ast.Unparen(e.X).(*ast.Ident)
			return root, direct && isIdent && len(sel.Index()) == 1
		}
		return root, direct && !sel.Indirect()
	}
	return nil, false
}

// criticalEnd is where the critical section that calls[i] opens ends at the
// latest: the last unlocking before the lock is taken again, or the end of the
// function when the unlocking is deferred. There is none when the function
// keeps the lock.
func criticalEnd(calls []lockCall, i int, body *ast.BlockStmt) (token.Pos, bool) {
	end := token.NoPos
	for _, c := range calls {
		if c.defers && c.lock == calls[i].lock && (c.method == "Unlock" || c.method == "RUnlock") {
			return body.End(), true
		}
	}
	for _, c := range calls[i+1:] {
		if c.lock != calls[i].lock {
			continue
		}
		switch c.method {
		case "Lock", "RLock":
			if end != token.NoPos {
				return end, true
			}
		case "Unlock", "RUnlock":
			end = c.stmt.Pos()
		}
	}
	return end, end != token.NoPos
}

// declaration is the function of the package that declares f.
func (p *plan) declaration(f *types.Func) *access.Function {
	if p.functions == nil {
		p.functions = map[*types.Func]*access.Function{}
		for _, fn := range p.accesses.Functions {
			if fn.Decl != nil {
				if def, ok := p.pkg.TypesInfo.Defs[fn.Decl.Name].(*types.Func); ok {
					p.functions[def] = fn
				}
			}
		}
	}
	return p.functions[f]
}

// holdable says whether the address of the touched variable can be taken
// before the lock: without following a pointer that the lock operation itself
// would not follow next, and denoting the same variable as later.
func (p *pass) holdable(c lockCall, t touch, body *ast.BlockStmt, end token.Pos) bool {
	if !isLocal(t.root) {
		_, isPointer := t.root.Type().Underlying().(*types.Pointer)
		return !isPointer || t.fields == ""
	}
	if t.root != c.root || !c.direct || t.root.Pos() > c.stmt.Pos() {
		return false
	}
	if _, isPointer := t.root.Type().Underlying().(*types.Pointer); isPointer && t.fields != "" {
		call := c.stmt.(*ast.ExprStmt).X.(*ast.CallExpr)
		x := ast.Unparen(ast.Unparen(call.Fun).(*ast.SelectorExpr).X)
		if _, follows := x.(*ast.SelectorExpr); !follows {
			sel := p.info.Selections[call.Fun.(*ast.SelectorExpr)]
			if sel == nil || len(sel.Index()) != 2 { // p.Lock() of an embedded mutex
				return false
			}
		}
	}
	return !p.isAssigned(t.root, body, c.stmt.Pos(), end)
}

// isAssigned says whether the variable gets a new value between the positions.
func (p *pass) isAssigned(v *types.Var, body *ast.BlockStmt, from, to token.Pos) bool {
	found := false
	is := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && p.info.Uses[id] == v && from <= id.Pos() && id.Pos() < to {
			found = true
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				is(ast.Unparen(l))
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				is(n.Key)
			}
			if n.Value != nil {
				is(n.Value)
			}
		case *ast.IncDecStmt:
			is(n.X)
		}
		return !found
	})
	return found
}

func (p *pass) hold(scope ast.Node, c lockCall, end token.Pos, t touch, site int) {
	lock := c.stmt
	n, ok := p.dec.Dst.Nodes[lock].(dst.Stmt)
	if !ok {
		return
	}
	var cell dst.Expr = ident(t.root.Name() + t.fields)
	if t.root.Pkg() != p.plan.pkg.Types {
		return // another package's variable, by whatever name it is imported
	}
	if scope := p.plan.pkg.Types.Scope().Innermost(lock.Pos()); scope != nil {
		if _, obj := scope.LookupParent(t.root.Name(), lock.Pos()); obj != t.root {
			return // shadowed here
		}
	}
	at := address(cell)
	var pointer dst.Expr
	if t.isMap {
		if !p.takesMap(t.hook) {
			return
		}
		pointer = p.heal("MapAt", at)
	} else {
		pointer = p.pointer(at)
	}
	v := t.hook.table.locations[t.hook.index].variable
	p.plan.placed = append(p.plan.placed, placedHold{c, end, t})
	args := []dst.Expr{p.row(v), pointer, number(site)}
	method := "Hold"
	if t.set != nil {
		set := t.hook.in(t.set.name).variable
		method, args = "HoldSet", append([]dst.Expr{p.row(set)}, args...)
	}
	s := statement(call(selector(frameName, method), args...))
	p.put(p.before, n, s, lock)
	p.frames[scope], p.holds[scope] = true, true
	p.once[scope] = p.once[scope] || t.hook.healed()
	p.hooks.Holds++
}

// row is the address of a variable's row in the tables.
func (p *pass) row(v ref) dst.Expr {
	return address(&dst.IndexExpr{X: ident("_ar_vars" + v.table.suffix), Index: number(v.index)})
}

func (p *pass) insert(where map[dst.Stmt][]dst.Stmt, near ast.Stmt, site int) {
	if n, ok := p.dec.Dst.Nodes[near].(dst.Stmt); ok {
		p.put(where, n, statement(call(selector(frameName, "Release"), number(site))), near)
	}
}

func (p *pass) put(where map[dst.Stmt][]dst.Stmt, n, s dst.Stmt, near ast.Stmt) {
	s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	p.attribute(s, near)
	where[n] = append(where[n], s)
	p.changed = true
}
