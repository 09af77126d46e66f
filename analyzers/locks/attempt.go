package locks

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// An end is one way out of a function that may take a lock, or fail to.
type end struct {
	balance balance
	answer  answer
}

// answer is what the last result tells, an error or a boolean.
type answer uint8

const (
	untold answer = iota
	succeeded
	failed
)

// endAt are the ways in which the return statement ends the function. What returns the
// answer of another attempt can end in both.
func (r *Result) endAt(b *accesses.Body, n ast.Node, at balance) []end {
	ret, ok := n.(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return []end{{at, untold}}
	}
	last := ast.Unparen(ret.Results[len(ret.Results)-1])
	if call, ok := last.(*ast.CallExpr); ok {
		without := balance{}
		for l, n := range at {
			without[l] = n
		}
		tried := false
		for _, op := range r.Ops(accesses.Event{Kind: accesses.OnCall, Node: call}) {
			if op.Try {
				tried = true
				without[op.Lock] = 0
			}
		}
		if tried {
			return []end{{at, succeeded}, {without, failed}}
		}
	}
	tv := r.pkg.Info.Types[last]
	results := b.Func.Signature().Results()
	isError := results.Len() > 0 && types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type())
	switch {
	case isError && tv.IsNil():
		return []end{{at, succeeded}}
	case isError:
		return []end{{at, failed}}
	case tv.Value != nil && tv.Value.Kind() == constant.Bool && constant.BoolVal(tv.Value):
		return []end{{at, succeeded}}
	case tv.Value != nil && tv.Value.Kind() == constant.Bool:
		return []end{{at, failed}}
	}
	return []end{{at, untold}}
}

// attempts are the locks that the function takes where it succeeds, and not where it
// fails, if it always tells which.
func attempts(ends []end, exit balance, modes map[accesses.Place]Mode) []Op {
	var ok, not balance
	for _, e := range ends {
		switch e.answer {
		case succeeded:
			ok = meet(ok, e.balance)
		case failed:
			not = meet(not, e.balance)
		default:
			return nil
		}
	}
	var list []Op
	for l, n := range ok {
		if n > 0 && not != nil && not[l] == 0 && exit[l] == 0 {
			list = append(list, Op{Kind: Acquire, Lock: l, Mode: modes[l], Try: true})
		}
	}
	return list
}
