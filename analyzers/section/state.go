package section

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// bodyState is what the search knows of one body.
type bodyState struct {
	body   *accesses.Body
	values *values
	occ    map[*access.Access]*occurrence
	calls  map[*ast.CallExpr][]*occurrence // accesses that callees make
	taken  map[*ast.CallExpr][]*occurrence // of unlessEmpty, which a walk from the question of a bound alone looks at
	order  []*occurrence
	reach  map[[2]int][]bool
	holds  map[hold]fieldSet // see holdsOf; nil until asked for

	bounded *[]ast.Expr // see bounds; nil until asked for
}

// occurrence is an access at its place in the control-flow graph.
type occurrence struct {
	*access.Access
	block, index int
	// held are the locks held at the access, outer those of them that the
	// body itself holds: they differ where a callee makes the access.
	held, outer locks.Set
	place       accesses.Place
	key         string
	computed    string            // see computedKey
	from        []string          // see madeFrom
	basis       map[string]string // see basisOf

	origin *access.Access // the access in the callee
	via    *ast.CallExpr  // the call that makes it
	stores []ast.Expr     // the arguments that it stores
	keyArg ast.Expr       // the argument that is its key
	depth  int            // how many calls away

	dropped []accesses.Place // locks of the body's that the callee gives up before
	lit     bool             // in a function literal that is called here
	chosen  bool             // it has found a free key, which the call returns
	at      token.Pos        // of the access in the callee
	like    bool             // to what is like a map; see mapLike
	later   bool             // by a deferred call, or a goroutine that begins there
	inner   bool             // through a local that stands for a map within a map
}

// stateOf lists the accesses of b and of what it calls.
func (s *search) stateOf(b *accesses.Body) *bodyState {
	if st, ok := s.states[b]; ok {
		return st
	}
	if s.traced[b.Fn] == nil {
		s.traced[b.Fn] = newValues(s.pkg, b.Fn)
	}
	st := &bodyState{
		body:   b,
		values: s.traced[b.Fn],
		occ:    map[*access.Access]*occurrence{},
		calls:  map[*ast.CallExpr][]*occurrence{},
		reach:  map[[2]int][]bool{},
	}
	s.states[b] = st
	s.locks.Walk(b, func(block, index int, ev accesses.Event, held locks.Set) {
		if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && !s.pkg.Contained(call) {
			list := append(s.through(st, call, block, index, held), s.inPlace(st, call, block, index, held)...)
			if len(list) == 0 {
				list = s.mapLike(st, call, block, index, held)
			}
			for _, o := range list {
				st.occ[o.Access] = o
			}
			st.calls[call] = list
			s.addTaken(st, call, block, index, held)
			st.order = append(st.order, list...)
			s.onceStarted(st, call, block, index)
			return
		}
		switch ev.Kind {
		case accesses.OnDefer:
			s.afterwards(st, ev.Node.(*ast.DeferStmt).Call, block, index, held)
			return
		case accesses.OnGo:
			call := ev.Node.(*ast.GoStmt).Call
			s.afterwards(st, call, block, index, s.handedOn(call, held))
			return
		}
		a := ev.Access
		if a == nil || a.Cell == nil {
			return
		}
		o := &occurrence{Access: a, block: block, index: index, held: held, outer: held}
		if in := st.inner(a, held); in != nil {
			o.Access, o.inner = in, true
			st.occ[in] = o
		}
		o.place = s.pkg.PlaceOf(o.Cell)
		if a.Key != nil {
			key := a.Key
			if x := s.madeKey(st, key); x != nil {
				key = x
			}
			o.key = st.values.keyText(st.values.original(key))
			o.basis = s.basisOf(st, key, block, index)
			o.computed, o.from = s.computedKey(st, a.Key), s.madeFrom(st, a)
			if x, part := partOf(key); part != "" {
				if local, ok := st.values.elementOf(x).(*ast.Ident); ok {
					o.key = cmp.Or(s.keyFound(st, local, part, a.Var), o.key)
				}
			}
		} else if a.Kind == access.MapWhole {
			o.key = allKeys
		}
		st.occ[a] = o
		st.order = append(st.order, o)
	})
	return st
}

// afterwards adds the writes of a call that is deferred, or that a goroutine begins with, as
// if it were made where the statement is. What is held there is mostly held when the
// function returns, too, for its own locks are given up by calls that were deferred
// before; a goroutine holds nothing.
func (s *search) afterwards(st *bodyState, call *ast.CallExpr, block, index int, held locks.Set) {
	s.noteLater(st, call, append(s.through(st, call, block, index, held), s.inPlace(st, call, block, index, held)...))
}

// onceStarted adds the writes of the literals that a call of a function runs in goroutines,
// as in g.Go(func() { … }).
func (s *search) onceStarted(st *bodyState, call *ast.CallExpr, block, index int) {
	for _, lit := range s.startedLits(call) {
		s.noteLater(st, call, s.inLit(st, lit, call, block, index, locks.Set{}))
	}
}

func (s *search) noteLater(st *bodyState, call *ast.CallExpr, list []*occurrence) {
	for _, o := range list {
		if o.Mode != atomicity.Write {
			continue
		}
		o.later = true
		st.occ[o.Access] = o
		st.calls[call] = append(st.calls[call], o)
		st.order = append(st.order, o)
	}
}

// handedOn are the locks held that a goroutine which begins with the call gives up, as a
// literal does by defer mu.Unlock() without mu.Lock().
func (s *search) handedOn(call *ast.CallExpr, held locks.Set) locks.Set {
	given := locks.Set{}
	if lit := s.pkg.ByNode[ast.Unparen(call.Fun)]; lit != nil {
		for l, m := range s.locks.Entry(lit) {
			if held[l] == m {
				given[l] = m
			}
		}
	}
	return given
}

// allKeys stands for every key of a map.
const allKeys = "*"

// sameInstance says whether two accesses of one function are to the same
// memory, as far as the source tells.
func (o *occurrence) sameInstance(p *occurrence) bool {
	if o.Var != p.Var || o.place != p.place {
		return false
	}
	if !o.place.Valid() && types.ExprString(o.Cell) != types.ExprString(p.Cell) {
		return false
	}
	return o.key == p.key && !o.unlike(p) || o.key == allKeys || p.key == allKeys || o.computed != "" && o.computed == p.computed || slices.Contains(o.from, p.key)
}

// original looks through a local that holds a copy of another value.
func (v *values) original(e ast.Expr) ast.Expr {
	for range 4 {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			list := v.assigns[v.pkg.Info.ObjectOf(x)]
			if len(list) != 1 {
				return x
			}
			call, ok := ast.Unparen(list[0].value).(*ast.CallExpr)
			if !ok {
				return x
			}
			for ok && v.isCopy(call) {
				e = ast.Unparen(call.Args[0])
				call, ok = e.(*ast.CallExpr)
			}
			if _, part := partOf(e); ok && part == "" {
				return x // another call gives another value
			}
		case *ast.CallExpr:
			if !v.isCopy(x) {
				return x
			}
			e = x.Args[0]
		default:
			return x
		}
	}
	return e
}

func (v *values) isCopy(call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	if tv, ok := v.pkg.Info.Types[call.Fun]; ok && tv.IsType() {
		return true
	}
	return accesses.Copies(types.ExprString(call.Fun))
}
