package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// channelUse is what the package does with a channel that may be a lock.
type channelUse struct {
	made  bool // with capacity one
	other bool // something that nobody does with a lock
	full  bool // a value is put in where it is made
	spins bool // it is an atomic variable, taken in a loop
	ops   map[*accesses.Body][]channelStep
}

// channelStep is one send or receive.
type channelStep struct {
	n        ast.Node
	send     bool
	deferred bool
	waits    bool // a select with other arms chooses it
}

// findChannelLocks finds the channels of capacity one that are locks: each function that
// takes one gives it back, but for those that do nothing else than the one or the other,
// and nothing else is done with it. A channel by which one goroutine wakes another one is
// sent on here and received from there.
func (r *Result) findChannelLocks() {
	r.findArms()
	uses := r.channelUses()
	for v, u := range uses {
		if u.made && !u.other && !v.Exported() && r.pairs(u, !u.full) {
			r.chanLocks[v] = &channelLock{bySend: !u.full}
		}
	}
}

// pairs says whether the channel is acquired and released as a lock is, by sends or by
// receives.
func (r *Result) pairs(u *channelUse, bySend bool) bool {
	paired := false
	takers, givers := map[*types.Func]bool{}, map[*types.Func]bool{}
	for b, steps := range u.ops {
		slices.SortFunc(steps, func(a, b channelStep) int { return int(a.n.Pos() - b.n.Pos()) })
		takes, gives := token.NoPos, token.NoPos
		for _, st := range steps {
			switch {
			case st.send == bySend && !takes.IsValid():
				takes = st.n.Pos()
			case st.send != bySend && st.waits:
				return false // to release a lock is no matter of waiting
			case st.send != bySend && (!gives.IsValid() || st.deferred):
				gives = st.n.Pos()
				if st.deferred {
					gives = b.Block.End()
				}
			}
		}
		switch {
		case takes.IsValid() && gives.IsValid():
			if gives < takes {
				return false
			}
			paired = true
		case b.Func == nil || len(b.Block.List) > 4 || !u.spins && hasLoop(b.Block):
			return false
		case takes.IsValid():
			takers[b.Func] = true
		default:
			givers[b.Func] = true
		}
	}
	if len(takers) == 0 && len(givers) == 0 {
		return paired
	}
	return len(takers) > 0 && len(givers) > 0 && r.callPairs(takers, givers)
}

// callPairs says whether each function that calls one of the takers calls one of the givers
// after it, and whether there is one.
func (r *Result) callPairs(takers, givers map[*types.Func]bool) bool {
	found := false
	for _, b := range r.pkg.Bodies {
		if b.Parent != nil || takers[b.Func] || givers[b.Func] {
			continue
		}
		var takes, gives token.Pos
		ast.Inspect(b.Block, func(n ast.Node) bool {
			if _, isGo := n.(*ast.GoStmt); isGo {
				return false
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch fn := r.Callee(call); {
			case fn == nil:
			case takers[fn] && !takes.IsValid():
				takes = call.Pos()
			case givers[fn]:
				gives = call.Pos()
			}
			return true
		})
		if gives.IsValid() && (!takes.IsValid() || gives < takes) {
			return false
		}
		found = found || takes.IsValid() && gives.IsValid()
	}
	return found
}

func hasLoop(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			found = true
		}
		return !found
	})
	return found
}

// channelUses lists what is done with the channels of the package.
func (r *Result) channelUses() map[*types.Var]*channelUse {
	uses := map[*types.Var]*channelUse{}
	of := func(v *types.Var) *channelUse {
		if uses[v] == nil {
			uses[v] = &channelUse{ops: map[*accesses.Body][]channelStep{}}
		}
		return uses[v]
	}
	madeIn := map[*types.Var]map[ast.Node]bool{}
	made := func(v *types.Var, value ast.Expr, in ast.Node) {
		u := of(v)
		if !r.isOneSlot(value) {
			u.other = true
			return
		}
		u.made = true
		if madeIn[v] == nil {
			madeIn[v] = map[ast.Node]bool{}
		}
		madeIn[v][in] = true
	}
	for _, file := range r.pkg.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || len(stack) == 0 {
				return true
			}
			obj := r.pkg.Info.Uses[id]
			if obj == nil {
				obj = r.pkg.Info.Defs[id]
			}
			v, ok := obj.(*types.Var)
			if !ok || !v.IsField() && !accesses.IsGlobal(v) || v.Pkg() != r.pkg.Types {
				return true
			}
			if _, isChan := v.Type().Underlying().(*types.Chan); !isChan {
				return true
			}
			v = v.Origin()
			e, stack := ast.Expr(id), slices.Clone(stack)
			if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok && sel.Sel == id {
				e, stack = sel, stack[:len(stack)-1]
			}
			r.channelUseAt(v, e, stack, of(v), made)
			return true
		})
	}
	for v, u := range uses { // the value that is there from the start
		for b := range u.ops {
			if madeIn[v][b.Outermost().Node] && len(u.ops[b]) == 1 && u.ops[b][0].send {
				u.full = true
				delete(u.ops, b)
			}
		}
	}
	return uses
}

// channelUseAt notes what is done with the channel that e, below the nodes of the stack, is.
func (r *Result) channelUseAt(v *types.Var, e ast.Expr, stack []ast.Node, u *channelUse, made func(*types.Var, ast.Expr, ast.Node)) {
	var around *accesses.Body
	deferred := false
	for _, n := range stack {
		switch n := n.(type) {
		case *ast.FuncDecl:
			around = r.pkg.ByNode[n]
		case *ast.DeferStmt:
			deferred = true
		case *ast.FuncLit:
			if !deferred {
				around = r.pkg.ByNode[n]
			}
		}
	}
	var outermost ast.Node
	if around != nil {
		outermost = around.Outermost().Node
	}
	step := func(n ast.Node, send bool) {
		if around == nil {
			u.other = true
			return
		}
		waits := false
		if sel := r.inArm[n]; sel != nil {
			for _, c := range sel.Body.List {
				clause, ok := c.(*ast.CommClause)
				waits = waits || ok && clause.Comm != nil && commOf(clause) != n
			}
		}
		u.ops[around] = append(u.ops[around], channelStep{n, send, deferred, waits})
	}
	switch parent := stack[len(stack)-1].(type) {
	case *ast.Field: // its declaration
	case *ast.ValueSpec:
		if i := slices.IndexFunc(parent.Names, func(id *ast.Ident) bool { return ast.Expr(id) == e }); i >= 0 && i < len(parent.Values) {
			made(v, parent.Values[i], outermost)
		} else if i < 0 {
			u.other = true
		}
	case *ast.KeyValueExpr:
		if parent.Key == e {
			value, sent := r.channelLocal(parent.Value, around)
			u.full = u.full || sent
			made(v, value, outermost)
		} else {
			u.other = true
		}
	case *ast.AssignStmt:
		if i := slices.Index(parent.Lhs, e); i >= 0 && len(parent.Lhs) == len(parent.Rhs) {
			value, sent := r.channelLocal(parent.Rhs[i], around)
			u.full = u.full || sent
			made(v, value, outermost)
		} else {
			u.other = true
		}
	case *ast.SendStmt:
		if parent.Chan == e {
			step(parent, true)
		} else {
			u.other = true
		}
	case *ast.UnaryExpr:
		if _, stmt := stack[len(stack)-2].(*ast.ExprStmt); stmt && parent.Op == token.ARROW {
			step(parent, false)
		} else {
			u.other = true
		}
	case *ast.CallExpr:
		id, ok := ast.Unparen(parent.Fun).(*ast.Ident)
		u.other = u.other || !ok || !r.pkg.Info.Types[parent.Fun].IsBuiltin() || id.Name != "len" && id.Name != "cap"
	default:
		u.other = true
	}
}

// channelLocal is the local that the expression is, if a value is given to it once.
func (r *Result) channelLocal(e ast.Expr, in *accesses.Body) (value ast.Expr, sent bool) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || in == nil {
		return e, false
	}
	obj := r.pkg.Info.Uses[id]
	n := 0
	ast.Inspect(in.Outermost().Block, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for i, l := range node.Lhs {
				if l, ok := l.(*ast.Ident); ok && r.pkg.Info.ObjectOf(l) == obj && len(node.Lhs) == len(node.Rhs) {
					value = node.Rhs[i]
					n++
				}
			}
		case *ast.SendStmt:
			to, ok := ast.Unparen(node.Chan).(*ast.Ident)
			sent = sent || ok && r.pkg.Info.Uses[to] == obj
		}
		return true
	})
	if n != 1 {
		return e, false
	}
	return value, sent
}
