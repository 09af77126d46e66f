package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// startsRepeatedly says whether the function or literal around the go statement is run again and again while the
// goroutines that it has started go on, and gives the types whose objects these have in common (see common) and of
// which each has one of its own (see elementTypes):
//
//	for range n { s.startWorker() }                      // go s.work()
//	times(n, func() { go s.work() })                     // for range n { f() }
//	for { conn, err := l.Accept(); …; s.handle(conn) }   // go s.serve(conn)
func (r *Result) startsRepeatedly(b *accesses.Body, at ast.Node) (common, each map[*types.TypeName]bool, ok bool) {
	if r.stateDecides(b, at) {
		return nil, nil, false
	}
	if lit, isLit := b.Node.(*ast.FuncLit); isLit {
		for _, c := range r.callsOf(b) {
			if c.often || r.repeats(c.in, c.call, nil, nil) {
				return r.commonOfLit(lit, at, c), r.handsLocals(b, at, nil), true
			}
		}
		return nil, nil, false
	}
	for _, c := range r.callsOf(b) {
		if c.in.Outermost() != b && r.repeats(c.in, c.call, b, at) {
			return r.commonOfCall(c, b, at), r.handsLocals(b, at, r.elementTypes(c.in, c.call, c.call)), true
		}
	}
	return nil, nil, false
}

// capturedOften says whether v is a variable from outside of the literal that b is of, which is called again and again.
func (r *Result) capturedOften(b *accesses.Body, v *types.Var) bool {
	lit, ok := b.Node.(*ast.FuncLit)
	if !ok || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
		return false
	}
	for _, c := range r.callsOf(b) {
		loop := innermostLoop(c.in, c.call)
		if c.often || r.repeats(c.in, c.call, nil, nil) && (v.Pos() < loop.Pos() || loop.End() <= v.Pos()) {
			return true
		}
	}
	return false
}

// A callSite is a call of a body, or the call that hands a literal to a function which calls it: often, if that does
// so in a loop, or in more places than one.
type callSite struct {
	in    *accesses.Body
	call  *ast.CallExpr
	often bool
}

// callsOf are the calls of the function, or of a literal by its name, and those that hand the literal to what calls it.
func (r *Result) callsOf(b *accesses.Body) []callSite {
	if r.callSites == nil {
		r.callSites = map[*accesses.Body][]callSite{}
		for _, in := range r.pkg.Bodies {
			for _, events := range in.Events {
				for _, ev := range events {
					call, ok := ev.Node.(*ast.CallExpr)
					if !ok || ev.Kind != accesses.OnCall {
						continue
					}
					if to := r.pkg.ByFunc[r.locks.Callee(call)]; to != nil {
						r.callSites[to] = append(r.callSites[to], callSite{in: in, call: call})
					}
					r.noteLits(in, call)
				}
			}
		}
	}
	return r.callSites[b]
}

// noteLits notes the literals that the call calls, or hands to a function of the package.
func (r *Result) noteLits(in *accesses.Body, call *ast.CallExpr) {
	lit := func(e ast.Expr) *accesses.Body {
		switch e := ast.Unparen(e).(type) {
		case *ast.FuncLit:
			return r.pkg.ByNode[e]
		case *ast.Ident:
			return r.locks.NamedLit(e)
		}
		return nil
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if to := r.locks.NamedLit(id); to != nil {
			r.callSites[to] = append(r.callSites[to], callSite{in: in, call: call})
		}
	}
	fn := r.locks.Callee(call)
	if r.pkg.ByFunc[fn] == nil {
		return
	}
	for i, a := range call.Args {
		if to := lit(a); to != nil {
			r.callSites[to] = append(r.callSites[to], callSite{in: in, call: call, often: r.runsOften(fn, i)})
		}
	}
}

// runsOften says whether the function calls its parameter in a loop that goes through something or counts, or in two
// places one after the other.
func (r *Result) runsOften(fn *types.Func, i int) bool {
	b := r.pkg.ByFunc[fn]
	if b == nil || i >= fn.Signature().Params().Len() || fn.Signature().Variadic() {
		return false
	}
	param, calls := fn.Signature().Params().At(i), 0
	for _, events := range b.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && r.pkg.Info.Uses[id] == types.Object(param) {
				if r.repeats(b, call, nil, nil) {
					return true
				}
				if stmt := topStatement(b.Block, call); stmt != nil {
					calls++
				}
			}
		}
	}
	return calls > 1
}

// topStatement is the statement of the block itself that is the call, or nil.
func topStatement(block *ast.BlockStmt, call *ast.CallExpr) ast.Stmt {
	for _, s := range block.List {
		if x, ok := s.(*ast.ExprStmt); ok && ast.Unparen(x.X) == ast.Expr(call) {
			return s
		}
	}
	return nil
}

// repeats says whether a loop of the body around the call makes it again while what earlier calls have started runs:
// it counts, or goes through something, and waits for nothing; or each turn has something of its own, that the call
// hands to the goroutine which the body b starts at the node.
func (r *Result) repeats(in *accesses.Body, call *ast.CallExpr, b *accesses.Body, at ast.Node) bool {
	loop := innermostLoop(in, call)
	if loop == nil || r.waitsIn(in, loop.Pos(), loop.End()) || tries(loop) {
		return false
	}
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		t := r.pkg.Info.TypeOf(loop.X)
		if t == nil {
			return false
		}
		if _, isChan := t.Underlying().(*types.Chan); !isChan {
			return true
		}
	case *ast.ForStmt:
		if loop.Init != nil && loop.Cond != nil && loop.Post != nil {
			return true
		}
	}
	return b != nil && r.handsOn(call, loop, b, at)
}

// tries says whether the loop comes to its end as soon as something else than an error is the case: then it may try until
// one call has done what it is for.
//
//	for range attempts { if err := c.connect(); err == nil { return nil } }
func tries(loop ast.Stmt) bool {
	found := false
	var look func(n ast.Node, failed bool)
	look = func(n ast.Node, failed bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.IfStmt:
				b, ok := ast.Unparen(m.Cond).(*ast.BinaryExpr)
				look(m.Body, failed || ok && b.Op == token.NEQ)
				if m.Else != nil {
					look(m.Else, failed)
				}
				return false
			case *ast.ReturnStmt:
				found = found || !failed
			case *ast.BranchStmt:
				found = found || !failed && (m.Tok == token.BREAK || m.Tok == token.GOTO)
			}
			return !found
		})
	}
	switch loop := loop.(type) {
	case *ast.ForStmt:
		look(loop.Body, false)
	case *ast.RangeStmt:
		look(loop.Body, false)
	}
	return found
}

// handsOn says whether the call hands what the turn of the loop has made, or was given, to a parameter of b that the
// goroutine is started with.
func (r *Result) handsOn(call *ast.CallExpr, loop ast.Stmt, b *accesses.Body, at ast.Node) bool {
	params := b.Func.Signature().Params()
	for i, a := range call.Args {
		id, ok := ast.Unparen(a).(*ast.Ident)
		if !ok || i >= params.Len() {
			continue
		}
		v, ok := r.pkg.Info.Uses[id].(*types.Var)
		if !ok || v.Pos() < loop.Pos() || loop.End() <= v.Pos() || !isPointerLike(v.Type()) {
			continue
		}
		handed := false
		ast.Inspect(at, func(n ast.Node) bool {
			used, ok := n.(*ast.Ident)
			handed = handed || ok && r.pkg.Info.Uses[used] == types.Object(params.At(i))
			return !handed
		})
		if handed {
			return true
		}
	}
	return false
}

// commonOfCall are the types whose objects those have in common that b starts at the node when the call is made again
// and again: of what the node mentions the receiver and the parameters of b count for which the call has something
// from outside of the loop. What b has made itself is each goroutine's own.
func (r *Result) commonOfCall(c callSite, b *accesses.Body, at ast.Node) map[*types.TypeName]bool {
	loop, sig := innermostLoop(c.in, c.call), b.Func.Signature()
	set := map[*types.TypeName]bool{}
	ast.Inspect(at, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := r.pkg.Info.Uses[id].(*types.Var)
		if !ok || v.IsField() || v != sig.Recv() && !r.isParam(b, v) || r.assignedIn(b, v, b.Block.Pos(), b.Block.End()) {
			return true
		}
		arg := r.locks.Argument(c.call, b.Func, v)
		if sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr); arg == nil && ok && v == sig.Recv() {
			arg = sel.X
		}
		if arg == nil {
			return true
		}
		outside := true
		ast.Inspect(arg, func(n ast.Node) bool {
			if used, ok := n.(*ast.Ident); ok {
				if of := r.pkg.Info.Uses[used]; of != nil && loop.Pos() <= of.Pos() && of.Pos() < loop.End() {
					outside = false
				}
			}
			return outside
		})
		if outside {
			r.reachable(v.Type(), set, 0)
		}
		return true
	})
	r.ofPackage(set)
	return set
}

// handsLocals adds the types of the variables of b itself, other than what it is given, that it hands to what begins at
// the node, and of what these embed: each goroutine has an object of its own.
func (r *Result) handsLocals(b *accesses.Body, at ast.Node, each map[*types.TypeName]bool) map[*types.TypeName]bool {
	begin, ok := at.(*ast.GoStmt)
	if !ok {
		return each
	}
	own := map[*types.TypeName]bool{}
	var add func(t types.Type)
	add = func(t types.Type) {
		tn := accesses.TypeName(t)
		if tn == nil || own[tn] {
			return
		}
		own[tn] = true
		if st, ok := tn.Type().Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Embedded() {
					add(f.Type())
				}
			}
		}
	}
	given := begin.Call.Args
	if sel, ok := ast.Unparen(begin.Call.Fun).(*ast.SelectorExpr); ok {
		given = append(slices.Clone(given), sel.X)
	}
	for _, a := range given {
		if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok {
			a = u.X
		}
		id, ok := ast.Unparen(a).(*ast.Ident)
		if !ok {
			continue
		}
		v, ok := r.pkg.Info.Uses[id].(*types.Var)
		if ok && (b.Block.Pos() <= v.Pos() && v.Pos() < b.Block.End() || r.assignedIn(b, v, b.Block.Pos(), b.Block.End())) {
			add(v.Type())
		}
	}
	maps.Copy(own, each)
	return own
}

// spawnsOften says whether the function runs its parameter in goroutines that it starts in a loop.
func (r *Result) spawnsOften(fn *types.Func, i int) bool {
	b := r.pkg.ByFunc[fn]
	if b == nil || i >= fn.Signature().Params().Len() || fn.Signature().Variadic() {
		return false
	}
	param := fn.Signature().Params().At(i)
	for _, events := range b.Events {
		for _, ev := range events {
			begin, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo || !r.repeats(b, begin.Call, nil, nil) {
				continue
			}
			runs := false
			ast.Inspect(begin.Call.Fun, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				runs = runs || ok && r.pkg.Info.Uses[id] == types.Object(param)
				return !runs
			})
			if runs {
				return true
			}
		}
	}
	return false
}

// commonOfValue are the types whose objects those have in common that run the value: what the literal captures, or
// what its method is of.
func (r *Result) commonOfValue(e ast.Expr) map[*types.TypeName]bool {
	lit, _ := ast.Unparen(e).(*ast.FuncLit)
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if b := r.locks.NamedLit(id); b != nil {
			lit, _ = b.Node.(*ast.FuncLit)
		}
	}
	if lit != nil {
		return r.captures(lit, lit.Body, func(*types.Var) bool { return true })
	}
	set := map[*types.TypeName]bool{}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && r.pkg.Info.TypeOf(sel.X) != nil {
		r.reachable(r.pkg.Info.TypeOf(sel.X), set, 0)
	}
	r.ofPackage(set)
	return set
}

// commonOfLit are the types whose objects those have in common that the literal starts at the node: what that captures from outside
// of the loop in which it is called, and what can be reached from there or from package-level variables.
func (r *Result) commonOfLit(lit *ast.FuncLit, at ast.Node, c callSite) map[*types.TypeName]bool {
	loop := innermostLoop(c.in, c.call)
	return r.captures(lit, at, func(v *types.Var) bool {
		return c.often || loop == nil || v.Pos() < loop.Pos() || loop.End() <= v.Pos()
	})
}

// captures are the types that the variables lead to which the node mentions and the literal captures, if they count,
// and those of the package.
func (r *Result) captures(lit *ast.FuncLit, in ast.Node, counts func(*types.Var) bool) map[*types.TypeName]bool {
	set := map[*types.TypeName]bool{}
	ast.Inspect(in, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := r.pkg.Info.Uses[id].(*types.Var)
		if ok && !v.IsField() && (v.Pos() < lit.Pos() || lit.End() <= v.Pos()) && counts(v) {
			r.reachable(v.Type(), set, 0)
		}
		return true
	})
	r.ofPackage(set)
	return set
}
