package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// onEachRequest says whether c closes a channel of the receiver, or of the package, each
// time that a server calls a handler, with no look whether it is closed: the handler does
// so itself, or calls the function that does. Servers call handlers for every request,
// and for several at a time; the second one panics.
func (s *search) onEachRequest(c closeCall) bool {
	if !s.outlives(c.channel.place) || s.inSelect(c.call) || inLoop(s.body.Block, c.call) || c.held.Holds(locks.Once) || s.recovers() || s.remade(c.channel.Var) {
		return false
	}
	if _, strong, _ := s.shared.RivalsAmong(s.body, c.channel.Var, map[*accesses.Body]bool{s.body: true}); !strong {
		return false // each request has an object of its own
	}
	if s.shared.Serves(s.body) {
		return s.ofRequestAlone(c.block)
	}
	fn := s.body.Func
	return fn != nil && s.nilTestsAlone(c) && s.calledByHandler(fn)
}

// nilTestsAlone says whether nothing decides about closing c but whether there is a channel.
func (s *search) nilTestsAlone(c closeCall) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, c.block); !decides || test == c.block {
			continue
		}
		if conds == nil || len(s.nilledIn(c.channel.Var)) > 0 {
			return false
		}
		for _, cond := range conds {
			if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); !ok || !s.pkg.Info.Types[b.Y].IsNil() || s.pkg.PlaceOf(b.X) != c.channel.place {
				return false
			}
		}
	}
	return true
}

// outlives says whether what is at the place belongs to the receiver or the package.
func (s *search) outlives(pl accesses.Place) bool {
	fn := s.body.Outermost().Func
	return pl.Valid() && (isPackageLevel(pl.Root) || pl.Path != "" && fn != nil && pl.Root == types.Object(fn.Signature().Recv()))
}

// remade says whether others than those who make an object, or set it going, store a
// channel in the variable: then there is a new one for the next request.
func (s *search) remade(v access.Var) bool {
	u := s.shared.Use(v)
	if u == nil {
		return false
	}
	for b := range u.Writes {
		if !s.shared.Constructing(b) && !s.shared.SetsGoing(b) && b.Outermost().Func != nil {
			return true
		}
	}
	return false
}

// calledByHandler says whether a handler calls fn on what outlives the request, whatever
// the state of that.
func (s *search) calledByHandler(fn *types.Func) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.callersOf(fn) {
		if !s.shared.Serves(b) {
			continue
		}
		s.bodyState = s.states[b]
		found := false
		s.locks.Walk(b, func(block, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn || held.Holds(locks.Once) || s.inSelect(call) || s.recovers() {
				return
			}
			on := accesses.Place{Path: "."}
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
				on = s.pkg.PlaceOf(sel.X)
			}
			outer := s.body.Outermost().Func
			mine := on.Root != nil && (isPackageLevel(on.Root) || outer != nil && on.Root == types.Object(outer.Signature().Recv()))
			found = found || (mine || fn.Signature().Recv() == nil) && s.ofRequestAlone(block)
		})
		if found {
			return true
		}
	}
	return false
}

// ofRequestAlone says whether nothing but the request decides whether control comes to the
// block of a handler.
func (s *search) ofRequestAlone(block int) bool {
	given := map[types.Object]bool{}
	for v := range s.body.Type(s.pkg.Info).Params().Variables() {
		given[v] = true
	}
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides || test == block {
			continue
		}
		for _, c := range conds {
			if !s.computedOfAlone(c, given, 0) {
				return false
			}
		}
	}
	return true
}

// computedOfAlone says whether the variables that the expression is computed from are
// among the given ones, or locals that are computed from them alone.
func (s *search) computedOfAlone(e ast.Expr, given map[types.Object]bool, depth int) bool {
	alone := depth < 5
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			alone = false
		case *ast.CallExpr:
			named := false // isReady() looks at what others change
			for v := range given {
				named = named || s.mentions(n, v)
			}
			if tv := s.pkg.Info.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				alone = alone && named && !s.takesAway(s.locks.Callee(n))
			}
		case *ast.Ident:
			v, ok := s.pkg.Info.ObjectOf(n).(*types.Var)
			if !ok || v.IsField() || given[v] {
				break
			}
			list := s.values.assigns[v]
			alone = alone && len(list) == 1 && !isPackageLevel(v) && s.computedOfAlone(list[0].value, given, depth+1)
		}
		return alone
	})
	return alone
}

// takesAway says whether the function, of this package or of sync and sync/atomic, takes something
// away that the next one who calls it does not find: by one step, or where it has found it in the
// same hold of a lock.
func (s *search) takesAway(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	b := s.pkg.ByFunc[fn]
	if b == nil {
		return fn.Pkg() != nil && (fn.Pkg().Path() == "sync" || fn.Pkg().Path() == "sync/atomic") && takingAway.MatchString(fn.Name())
	}
	st := s.stateOf(b)
	return slices.ContainsFunc(st.order, func(w *occurrence) bool {
		if w.Mode != atomicity.Write || !w.place.Valid() {
			return false
		}
		if w.Kind == access.Atomic || w.Kind == access.SyncMap {
			return takingAway.MatchString(w.source().Method)
		}
		return w.Method == "delete" && w.held.Excludes() && slices.ContainsFunc(st.order, func(r *occurrence) bool {
			found := false
			s.inState(b, func() { found = r.Mode == atomicity.Read && r.sameInstance(w) && s.oneHold(r, w) })
			return found
		})
	})
}

var takingAway = pattern.New(`^(LoadAndDelete|CompareAndSwap\w*|CompareAndDelete|Swap\w*)$`)
