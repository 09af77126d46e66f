package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// addedFirst says whether the body has counted itself right before it looks, and the act takes
// that back:
//
//	n.Add(1)
//	if n.Load() > limit { return errBusy }
//	go func() { defer n.Add(-1); … }()
//
// Whoever looks has been counted: two can both be refused, but not both let in.
func (f *finding) addedFirst(end *hit) bool {
	if f.entry.Kind != access.Atomic || f.entry.via != nil || !adds(end.Access) {
		return false
	}
	back := f.addend(end.Access)
	return back != 0 && slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.Kind == access.Atomic && o.via == nil && adds(o.Access) && f.addend(o.Access) == -back && o.sameInstance(f.entry) &&
			o.block == f.entry.block && o.index < f.entry.index && !f.handsOver(o.block, o.index, f.entry.index)
	})
}

// handsOver says whether the block waits for others, or starts some, between the two events.
func (f *finding) handsOver(block, from, to int) bool {
	for _, ev := range f.body.Events[block][from+1 : to] {
		if ev.Kind == accesses.OnSend || ev.Kind == accesses.OnReceive || ev.Kind == accesses.OnGo {
			return true
		}
	}
	return false
}

// addend is the sign of the constant that an atomic step adds, or 0.
func (f *finding) addend(a *access.Access) int {
	sign := 1
	switch a.Method {
	case "Inc":
		return 1
	case "Dec":
		return -1
	case "Sub":
		sign = -1
	}
	call, ok := a.Expr.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return 0
	}
	arg := call.Args[len(call.Args)-1]
	if v := f.pkg.Info.Types[arg].Value; v != nil {
		return sign * constant.Sign(v)
	}
	if neg, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && (neg.Op == token.SUB || neg.Op == token.XOR) {
		return -sign
	}
	return 0
}
