package locks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// A spin lock is an atomic variable that is taken by CompareAndSwap from its zero value, in a loop,
// and released by storing that again:
//
//	for !x.busy.CompareAndSwap(false, true) { runtime.Gosched() }
//	…
//	x.busy.Store(false)

// findSpinLocks finds the fields and package-level variables that are such locks: nothing else
// is done with them than to take, to release and to load them, and each function that takes one
// gives it back, but for those that do nothing else than the one or the other.
func (r *Result) findSpinLocks() {
	uses := map[*types.Var]*channelUse{}
	waited := map[*types.Var]bool{}
	for _, file := range r.pkg.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			x, kind := r.spinStep(call)
			v := r.channelVar(x)
			if v == nil || v.Exported() {
				return true
			}
			u := uses[v]
			if u == nil {
				u = &channelUse{ops: map[*accesses.Body][]channelStep{}, spins: true}
				uses[v] = u
			}
			around, deferred, loops := r.aroundOf(stack)
			switch {
			case kind == spinLoad:
			case kind == spinOther || around == nil, around.Func != nil && isLockMethod(around.Func):
				u.other = true
			default:
				u.ops[around] = append(u.ops[around], channelStep{n: call, send: kind == spinTake, deferred: deferred})
				waited[v] = waited[v] || kind == spinTake && loops
			}
			return true
		})
	}
	for v, u := range uses {
		if !u.other && waited[v] && !r.usedBesides(v) && r.pairs(u, true) {
			r.spinLocks[v] = true
		}
	}
}

// isLockMethod says whether the function is one by which a type is a lock itself.
func isLockMethod(fn *types.Func) bool {
	return slices.Contains([]string{"lock", "unlock", "trylock"}, strings.ToLower(fn.Name())) && isLocker(fn)
}

// aroundOf is the body that a node below those of the stack is in, whether it is deferred, and
// whether a loop of the body is around it.
func (r *Result) aroundOf(stack []ast.Node) (around *accesses.Body, deferred, loops bool) {
	for _, n := range stack {
		switch n := n.(type) {
		case *ast.FuncDecl:
			around = r.pkg.ByNode[n]
		case *ast.DeferStmt:
			deferred = true
		case *ast.GoStmt:
			around = nil
		case *ast.ForStmt, *ast.RangeStmt:
			loops = true
		case *ast.FuncLit:
			if !deferred {
				around, loops = r.pkg.ByNode[n], false
			}
		}
	}
	return around, deferred, loops
}

type spinKind uint8

const (
	spinOther spinKind = iota
	spinTake
	spinGive
	spinLoad
)

// spinStep is the variable that a call of a function or method of sync/atomic works on, and what
// it would be for a spin lock.
func (r *Result) spinStep(call *ast.CallExpr) (ast.Expr, spinKind) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, spinOther
	}
	fn, ok := r.pkg.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return nil, spinOther
	}
	x, args := sel.X, call.Args
	if fn.Signature().Recv() == nil {
		if len(args) == 0 {
			return nil, spinOther
		}
		to, ok := ast.Unparen(args[0]).(*ast.UnaryExpr)
		if !ok {
			return nil, spinOther
		}
		x, args = to.X, args[1:]
	}
	switch name := fn.Name(); {
	case strings.HasPrefix(name, "Load"):
		return x, spinLoad
	case strings.HasPrefix(name, "CompareAndSwap") && len(args) == 2 && r.isZero(args[0]) && r.isSet(args[1]):
		return x, spinTake
	case strings.HasPrefix(name, "CompareAndSwap") && len(args) == 2 && r.isSet(args[0]) && r.isZero(args[1]),
		strings.HasPrefix(name, "Store") && len(args) == 1 && r.isZero(args[0]):
		return x, spinGive
	}
	return x, spinOther
}

func (r *Result) isZero(e ast.Expr) bool {
	v := r.pkg.Info.Types[e].Value
	return v != nil && (v.ExactString() == "false" || v.ExactString() == "0")
}

func (r *Result) isSet(e ast.Expr) bool {
	return r.pkg.Info.Types[e].Value != nil && !r.isZero(e)
}

// usedBesides says whether the variable is used otherwise than by what sync/atomic has.
func (r *Result) usedBesides(v *types.Var) bool {
	used := false
	for _, file := range r.pkg.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if used || !ok {
				return !used
			}
			if obj, isVar := r.pkg.Info.Uses[id].(*types.Var); !isVar || obj.Origin() != v {
				return true
			}
			in := slices.ContainsFunc(stack[max(0, len(stack)-4):], func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return false
				}
				x, _ := r.spinStep(call)
				return x != nil && r.channelVar(x) == v
			})
			used = !in
			return true
		})
	}
	return used
}

// spinOp is the lock operation that the call is on a spin lock, if it is one. Taking is an
// attempt: it fails on the edge to the next turn of the loop.
func (r *Result) spinOp(call *ast.CallExpr) (Op, bool) {
	if len(r.spinLocks) == 0 {
		return Op{}, false
	}
	x, kind := r.spinStep(call)
	if x == nil || kind != spinTake && kind != spinGive || !r.spinLocks[r.channelVar(x)] {
		return Op{}, false
	}
	pl := r.pkg.PlaceOf(x)
	if !pl.Valid() {
		return Op{}, false
	}
	if kind == spinTake {
		return Op{Kind: Acquire, Lock: pl, Mode: Exclusive, Try: true}, true
	}
	return Op{Kind: Release, Lock: pl, Mode: Exclusive}, true
}
