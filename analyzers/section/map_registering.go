package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// registering finds functions that make an object for a key, Store it in a
// sync.Map which others search by that key, and hand out their own object
// without a look at what was stored before: of two that do so at the same time,
// each goes on with an object of its own.
func (s *search) registering() {
	if s.body.Func == nil {
		return
	}
	for _, o := range s.order {
		if o.Kind != access.SyncMap || o.Method != "Store" || o.via != nil || !o.place.Valid() {
			continue
		}
		call, ok := o.Expr.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || !s.ofParameter(call.Args[0]) || s.looksUp(s.body, o) || !s.sought(o) {
			continue
		}
		id, ok := ast.Unparen(call.Args[1]).(*ast.Ident)
		if !ok || !s.freshly(id) || !s.handsOut(id) || s.disregarded(s.body.Func) {
			continue
		}
		if _, strong, _ := s.shared.Rivals(s.body, o.Var); !strong || s.reachOf(o) == shared.Private || o.held.Any() {
			continue
		}
		c := s.direct("testuse", "sync-map", o.Access, o.Pos(), o.Pos())
		c.Ends = []*access.Access{o.Access}
		c.Sure = true
		c.Message = fmt.Sprintf("Store replaces what another goroutine has stored for %s, and both go on with an object of their own: LoadOrStore tells", types.ExprString(call.Args[0]))
		s.found = append(s.found, c)
	}
}

// ofParameter says whether e mentions a parameter of the function.
func (s *search) ofParameter(e ast.Expr) bool {
	for v := range s.body.Func.Signature().Params().Variables() {
		if s.mentions(e, v) {
			return true
		}
	}
	return false
}

// looksUp says whether the body reads or removes entries of the same sync.Map.
func (s *search) looksUp(b *accesses.Body, o *occurrence) bool {
	for _, p := range s.states[b].order {
		if p.Var == o.Var && p.Access != o.Access && p.Method != "Store" {
			return true
		}
	}
	return false
}

// sought says whether another body loads from the map by key.
func (s *search) sought(o *occurrence) bool {
	for _, b := range s.pkg.Bodies {
		if b == s.body {
			continue
		}
		for _, p := range s.states[b].order {
			if p.Var == o.Var && p.via == nil && strings.HasPrefix(p.Method, "Load") {
				return true
			}
		}
	}
	return false
}

// freshly says whether the local holds an object that this body has made.
func (s *search) freshly(id *ast.Ident) bool {
	list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
	if len(list) != 1 {
		return false
	}
	switch e := ast.Unparen(list[0].value).(type) {
	case *ast.UnaryExpr:
		_, ok := e.X.(*ast.CompositeLit)
		return ok
	case *ast.CallExpr:
		fn := s.locks.Callee(e)
		return fn != nil && strings.HasPrefix(strings.ToLower(fn.Name()), "new")
	}
	return false
}

// handsOut says whether the body returns the local.
func (s *search) handsOut(id *ast.Ident) bool {
	obj, found := s.pkg.Info.ObjectOf(id), false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			for _, e := range ret.Results {
				if r, ok := ast.Unparen(e).(*ast.Ident); ok && s.pkg.Info.ObjectOf(r) == obj {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// disregarded says whether the package calls the function, and nowhere takes what it
// returns.
func (s *search) disregarded(fn *types.Func) bool {
	for _, b := range s.callersOf(fn) {
		taken := false
		bare := map[ast.Expr]bool{}
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExprStmt:
				bare[ast.Unparen(n.X)] = true
			case *ast.CallExpr:
				taken = taken || s.locks.Callee(n) == fn && !bare[n]
			}
			return !taken
		})
		if taken {
			return false
		}
	}
	return len(s.callersOf(fn)) > 0
}

// inTime says whether v is the channel of a time.Timer or time.Ticker, which is one and the
// same field for all of them.
func inTime(v *types.Var) bool { return v.Pkg() != nil && v.Pkg().Path() == "time" }

// offers says whether the body is an exported method that hands what it is given to a
// goroutine of the package, on a channel of its object: whoever has the object calls it.
func (s *search) offers(ch *occurrence) bool {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || fn.Signature().Params().Len() == 0 || ch.place.Root != types.Object(fn.Signature().Recv()) ||
		s.reachOf(ch) == shared.Private || s.shared.UsedByOne(s.body) || s.readies() || s.pkg.Types.Name() == "main" {
		return false
	}
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool { return s.shared.Spawned(b) && s.receivesFrom(b, ch.Var) })
}

// users counts the functions that receive from the channel, or send on it; one that
// the body alone calls does so in its turn.
func (s *search) users(ch access.Var, kind accesses.EventKind) int {
	functions := map[*access.Function]bool{}
	for b, st := range s.states {
		if s.calledHereAlone(b) {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				var used ast.Expr
				switch n := ev.Node.(type) {
				case *ast.UnaryExpr:
					used = n.X
				case *ast.SendStmt:
					used = n.Chan
				}
				if ev.Kind != kind || used == nil {
					continue
				}
				for _, o := range st.order {
					if o.Var == ch && o.Expr == ast.Unparen(used) {
						functions[b.Fn] = true
					}
				}
			}
		}
	}
	return len(functions)
}

// calledHereAlone says whether the body of this search calls b, and nobody else does.
func (s *search) calledHereAlone(b *accesses.Body) bool {
	if b.Func == nil || b.Func.Exported() || s.shared.Spawned(b) && !s.shared.Spawned(s.body) {
		return false
	}
	callers := s.callersOf(b.Func)
	for _, c := range callers {
		if c != s.body {
			return false
		}
	}
	return len(callers) > 0
}

// panics says whether the block ends the program.
func (s *search) panics(b *cfg.Block) bool {
	for _, ev := range s.body.Events[b.Index] {
		if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "panic" {
				return true
			}
		}
	}
	return false
}
