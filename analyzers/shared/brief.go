package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
)

var endingNames = pattern.New(`(?i:close|stop|shutdown|cancel|terminat|destroy|quit|halt|kill|abort|finish)|(^end|End)($|[A-Z_])`)

// onEachCall says whether the go statement starts another goroutine each time that
// outside callers call the method around it: one that does something and is over,
// such as a dial, and not the loop that serves the object. The object must be made for
// concurrent use, or the goroutine take a lock of the package, and no state decide whether
// the goroutine is started, as whether it runs already.
func (r *Result) onEachCall(id int, at ast.Node) bool {
	b := r.bodyOf(at)
	if b == nil || b.Func == nil || constructs(b) || r.SetsGoing(b) || endingNames.MatchString(b.Func.Name()) || r.endless(r.single[id], 0) {
		return false
	}
	if recv := b.Func.Signature().Recv(); recv != nil && !r.Concurrent(recv.Type()) || recv == nil && (r.single[id] == nil || !r.locksPackage(r.single[id])) {
		return false
	}
	many := false
	for root := range r.of[b] {
		many = many || r.roots[root].Kind == API && r.roots[root].Many
	}
	return many && !r.stateDecides(b, at)
}

// forEachGiven says whether the go statement starts a goroutine for something that the function
// around it was given, such as a message: one that does something with it and is over.
// The function is called for each; what it is called by is no beginning of an object.
func (r *Result) forEachGiven(id int, at ast.Node) bool {
	b := r.bodyOf(at)
	begin, ok := at.(*ast.GoStmt)
	if !ok || b == nil || b.Func == nil || constructs(b) || r.SetsGoing(b) || endingNames.MatchString(b.Func.Name()) || r.Sequential(b) || r.single[id] == nil || r.loops(r.single[id]) || r.stateDecides(b, at) {
		return false
	}
	for _, a := range begin.Call.Args {
		id, ok := ast.Unparen(a).(*ast.Ident)
		if ok && r.isGiven(b, r.pkg.Info.Uses[id]) {
			return true
		}
	}
	return false
}

// isGiven says whether the variable is a parameter of the body that points to something of
// this module's making, or what a type switch makes of one.
func (r *Result) isGiven(b *accesses.Body, obj types.Object) bool {
	v, ok := obj.(*types.Var)
	if !ok {
		return false
	}
	for p := range b.Func.Signature().Params().Variables() {
		same := p == v || p.Name() == v.Name() && b.Node.Pos() < v.Pos() && v.Pos() < b.Node.End() && types.IsInterface(p.Type())
		if same && accesses.TypeName(p.Type()) != nil && accesses.TypeName(p.Type()).Pkg() == r.pkg.Types {
			return true
		}
	}
	return false
}

// asksWhetherToGoOn says whether the loop counts nothing: for s.IsRunning() { … }.
func asksWhetherToGoOn(loop *ast.ForStmt) bool {
	cond := ast.Unparen(loop.Cond)
	if not, ok := cond.(*ast.UnaryExpr); ok {
		cond = ast.Unparen(not.X)
	}
	_, asks := cond.(*ast.CallExpr)
	return asks && loop.Init == nil && loop.Post == nil
}

// endless says whether the body, or what it calls, has a loop without a condition, over
// a channel, or until a call says that it is over.
func (r *Result) endless(b *accesses.Body, depth int) bool {
	if b == nil || depth > 3 {
		return b != nil // not known
	}
	found := r.loops(b)
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if fn := r.locks.Callee(n); fn != nil && r.pkg.ByFunc[fn] != nil && r.pkg.ByFunc[fn] != b {
				found = found || r.endless(r.pkg.ByFunc[fn], depth+1)
			}
		}
		return !found
	})
	return found
}

// loops says whether the body itself has such a loop.
func (r *Result) loops(b *accesses.Body) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			found = found || n.Cond == nil && !r.answers(b, n) || n.Cond != nil && asksWhetherToGoOn(n)
		case *ast.RangeStmt:
			if t := r.pkg.Info.TypeOf(n.X); t != nil {
				_, ch := t.Underlying().(*types.Chan)
				found = found || ch
			}
		}
		return !found
	})
	return found
}

// answers says whether the loop looks for what the function returns, besides an error: it ends
// when that is found.
func (r *Result) answers(b *accesses.Body, loop *ast.ForStmt) bool {
	if b.Func == nil {
		return false
	}
	results := b.Func.Signature().Results()
	if results.Len() == 0 || types.Identical(results.At(0).Type(), types.Universe.Lookup("error").Type()) {
		return false
	}
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == results.Len() {
				tv := r.pkg.Info.Types[n.Results[0]]
				found = found || !tv.IsNil() && tv.Value == nil
			}
		}
		return !found
	})
	return found
}

// stateDecides says whether a condition on a field, other than on what stands under
// some key, decides whether control comes to the node: it stands around it, or before
// it with a return. That nothing is started any more after the end decides nothing before.
func (r *Result) stateDecides(b *accesses.Body, at ast.Node) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if n == nil || found || n.Pos() >= at.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr: // once.Do, CompareAndSwap
			if fn := r.locks.Callee(n); fn != nil && (fn.Name() == "Do" || fn.Name() == "CompareAndSwap" || fn.Name() == "Swap") {
				found = true
			}
		case *ast.SwitchStmt:
			found = found || n.End() > at.Pos() && n.Tag != nil && r.mentionsState(n.Tag)
		case *ast.IfStmt:
			inside := at.Pos() < n.End()
			found = found || (inside || returns(n.Body) && !r.refusesEnded(b, n)) && r.mentionsState(n.Cond)
		}
		return !found
	})
	return found
}

var endedNames = pattern.New(`(?i)^(is)?(closed|closing|stopped|stopping|shut_?down|shutting_?down|done|ended|dead|terminated|destroyed|disposed|exited|exiting|killed|cancell?ed)$`)

// refusesEnded says whether the if statement leaves the body because the object has come to its
// end, which the body itself neither sets nor takes back.
func (r *Result) refusesEnded(b *accesses.Body, n *ast.IfStmt) bool {
	cond := ast.Unparen(n.Cond)
	if n.Init != nil || n.Else != nil {
		return false
	}
	if call, ok := cond.(*ast.CallExpr); ok { // x.closed.Load(), x.isClosed()
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || len(call.Args) > 0 {
			return false
		}
		if cond = sel; sel.Sel.Name == "Load" {
			cond = ast.Unparen(sel.X)
		}
	}
	sel, ok := cond.(*ast.SelectorExpr)
	if !ok || !endedNames.MatchString(sel.Sel.Name) {
		return false
	}
	for _, a := range b.Fn.Accesses {
		if a.Mode == atomicity.Write && a.Var.Obj == r.pkg.Info.Uses[sel.Sel] {
			return false
		}
	}
	return true
}

// mentionsState says whether a field is read in the condition, or a method called.
func (r *Result) mentionsState(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			return false
		case *ast.SelectorExpr:
			if s := r.pkg.Info.Selections[n]; s != nil {
				found = true
			}
		}
		return !found
	})
	return found
}

// returns says whether the block leaves the function.
func returns(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	_, ok := block.List[len(block.List)-1].(*ast.ReturnStmt)
	return ok
}
