package locks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// A channelLock is a channel of capacity one by which one goroutine at a time is let in:
// who puts a value in has the lock until it takes one out, or the other way round where
// the channel is made with a value in it.
type channelLock struct {
	bySend bool // to send is to acquire
}

// channelOp is the lock operation that a send or receive is, if it is one. In a select it
// is one only on the edge to its arm, unless it releases the lock.
func (r *Result) channelOp(n ast.Node) (Op, bool) {
	var ch ast.Expr
	send := false
	switch n := n.(type) {
	case *ast.SendStmt:
		ch, send = n.Chan, true
	case *ast.UnaryExpr:
		if n.Op != token.ARROW {
			return Op{}, false
		}
		ch = n.X
	default:
		return Op{}, false
	}
	l := r.chanLocks[r.channelVar(ch)]
	pl := r.pkg.PlaceOf(ch)
	if l == nil || !pl.Valid() {
		return Op{}, false
	}
	op := Op{Kind: Release, Lock: pl, Mode: Exclusive}
	if send == l.bySend {
		op.Kind = Acquire
	}
	return op, true
}

// channelVar is the field or package-level variable that holds the channel, or nil.
func (r *Result) channelVar(e ast.Expr) *types.Var {
	var obj types.Object
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj = r.pkg.Info.Uses[e]
	case *ast.SelectorExpr:
		obj = r.pkg.Info.Uses[e.Sel]
	}
	v, ok := obj.(*types.Var)
	if !ok || !v.IsField() && !accesses.IsGlobal(v) || v.Pkg() != r.pkg.Types {
		return nil
	}
	return v.Origin()
}

// chosenArm is what the edge to an arm of a select does to a lock. It says also whether
// control can go along the edge at all: not past the last arm where none is the default.
func (r *Result) chosenArm(succ *cfg.Block) (ops []Op, possible bool) {
	clause, ok := succ.Stmt.(*ast.CommClause)
	if !ok {
		return nil, true
	}
	switch succ.Kind {
	case cfg.KindSelectCaseBody:
		if op, ok := r.channelOp(commOf(clause)); ok && op.Kind == Acquire {
			return []Op{op}, true
		}
	case cfg.KindSelectAfterCase:
		return nil, !r.lastArms[clause]
	}
	return nil, true
}

// commOf is the send or receive of an arm, or nil.
func commOf(clause *ast.CommClause) ast.Node {
	switch comm := clause.Comm.(type) {
	case *ast.SendStmt:
		return comm
	case *ast.ExprStmt:
		return ast.Unparen(comm.X)
	case *ast.AssignStmt:
		return ast.Unparen(comm.Rhs[0])
	}
	return nil
}

// findArms notes the operations that select statements choose from, and the last arms of
// those without a default.
func (r *Result) findArms() {
	for _, file := range r.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectStmt)
			if !ok {
				return true
			}
			var last *ast.CommClause
			fallback := false
			for _, c := range sel.Body.List {
				clause, ok := c.(*ast.CommClause)
				if !ok {
					continue
				}
				if clause.Comm == nil {
					fallback = true
					continue
				}
				last = clause
				if n := commOf(clause); n != nil {
					r.inArm[n] = sel
				}
			}
			if last != nil && !fallback {
				r.lastArms[last] = true
			}
			return true
		})
	}
}

// isOneSlot says whether the expression makes a channel of capacity one.
func (r *Result) isOneSlot(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !r.pkg.Info.Types[call.Fun].IsBuiltin() {
		return false
	}
	size := r.pkg.Info.Types[call.Args[1]].Value
	ch, isChan := r.pkg.Info.TypeOf(call).Underlying().(*types.Chan)
	return isChan && tokens(ch.Elem()) && size != nil && constant.Compare(constant.ToInt(size), token.EQL, constant.MakeInt64(1))
}

// tokens says whether values of the type tell nothing, or next to nothing.
func tokens(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		return t.NumFields() == 0
	case *types.Basic:
		return t.Info()&(types.IsBoolean|types.IsInteger) != 0
	case *types.Interface:
		return t.NumMethods() == 0
	}
	return false
}

// ByChannel says whether the channel that the variable holds is a lock.
func (r *Result) ByChannel(v *types.Var) bool { return r.chanLocks[v] != nil }
