package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/internal/facts"
)

// parameter is one that a function has.
type parameter struct {
	fn *types.Func
	i  int
}

// posts says whether fn sends its parameter i, a function, over a channel, itself or
// in a function that calls it, or hands it to one that does, and does not call it: it
// is run by whoever receives it, mostly a loop which all that is sent belongs to.
func (r *Result) posts(fn *types.Func, i int) bool {
	if fn == nil || i >= fn.Signature().Params().Len() {
		return false
	}
	p := parameter{fn, i}
	known, ok := r.posted[p]
	if !ok {
		r.posted[p] = false // one that hands it to itself
		known = r.findPosted(p)
		r.posted[p] = known
	}
	return known
}

func (r *Result) findPosted(p parameter) bool {
	param := types.Object(p.fn.Signature().Params().At(p.i))
	switch t := param.Type().Underlying().(type) {
	case *types.Signature:
	case *types.Interface:
		if !t.Empty() {
			return false
		}
	default:
		return false
	}
	b := r.pkg.ByFunc[p.fn]
	if b == nil {
		return r.postedElsewhere(p)
	}
	sent, called := false, false
	holders := map[types.Object]bool{param: true} // param, and locals that hold it in a struct
	holds := func(e ast.Node) bool {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				found = found || r.callsInside(lit, param)
				return false
			}
			if id, ok := n.(*ast.Ident); ok && holders[r.pkg.Info.Uses[id]] {
				found = true
			}
			return !found
		})
		return found
	}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for j, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && holds(n.Rhs[j]) {
					holders[r.pkg.Info.ObjectOf(id)] = true
					if _, isLit := ast.Unparen(n.Rhs[j]).(*ast.FuncLit); isLit {
						return false
					}
				}
			}
		case *ast.SendStmt:
			if holds(n.Value) {
				sent = true
				return false
			}
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && holders[r.pkg.Info.Uses[id]] {
				called = true
			}
			for j, a := range n.Args {
				if holds(a) && r.posts(r.locks.Callee(n), j) {
					sent = true
					return false
				}
			}
		}
		return true
	})
	return sent && !called
}

// callsInside says whether the literal calls what the variable holds.
func (r *Result) callsInside(lit *ast.FuncLit, v types.Object) bool {
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			id, isID := ast.Unparen(call.Fun).(*ast.Ident)
			found = found || isID && r.pkg.Info.Uses[id] == v
		}
		return !found
	})
	return found
}

// postedElsewhere says what the fact of its package says of the function.
func (r *Result) postedElsewhere(p parameter) bool {
	if p.fn.Pkg() == nil {
		return false
	}
	reader, ok := r.imports.Entry(p.fn.Pkg(), "posts "+facts.Key(p.fn))
	for ok && len(reader.Data) > 0 {
		if reader.Int() == p.i {
			return true
		}
	}
	return false
}

// postedEntries are what importers are told about the exported functions that post.
func (r *Result) postedEntries() []facts.Entry {
	var entries []facts.Entry
	for _, b := range r.pkg.Bodies { // in this order: what is found out on the way is kept
		fn := b.Func
		if fn == nil || !fn.Exported() {
			continue
		}
		var w facts.Writer
		for i := range fn.Signature().Params().Len() {
			if r.posts(fn, i) {
				w.Int(i)
			}
		}
		if len(w.Data) > 0 {
			entries = append(entries, facts.Entry{Key: "posts " + facts.Key(fn), Data: w.Data})
		}
	}
	return entries
}
