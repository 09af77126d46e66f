package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// ofTwins finds what is written to one object under the lock of another one of the same type,
// where all others hold the lock of the very object:
//
//	from, to := s.shardFor(a), s.shardFor(b)
//	from.mu.Lock()
//	defer from.mu.Unlock()
//	to.live[b] = from.live[a] // elsewhere, under sh.mu: sh.live[id] = x
//
// The two come from one function or container, or one is the method's and the other one a
// parameter: neither is a part of the other.
func (s *search) ofTwins() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	reported := map[access.Var]bool{}
	for _, o := range s.order {
		if o.via != nil || o.later || reported[o.Var] || !o.place.Valid() || !o.Var.Obj.IsField() || s.reachOf(o) == shared.Private {
			continue
		}
		l, given := s.twinsLock(o)
		if !l.Valid() {
			continue
		}
		switch o.Kind {
		case access.Cell:
			if o.Mode != atomicity.Write {
				continue
			}
		case access.MapElement, access.MapWhole:
			if given && o.Mode != atomicity.Write {
				continue
			}
		default:
			continue
		}
		keeper, own := s.keptByItself(o, fieldAt(l))
		if keeper == nil || s.waitedBefore(o) || s.madeAnew(o) {
			continue
		}
		reported[o.Var] = true
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
		c.Roles = [2]string{"accessed under the lock of another object", "accessed under its own"}
		c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, locks.ClassOf(l))
		what := "read"
		if o.Mode == atomicity.Write {
			what = "written"
		}
		c.Message = fmt.Sprintf("%s is %s here under %s, which is the lock of another object; all other functions hold that of the very object, as %s does: %s",
			types.ExprString(o.Cell), what, l, keeper.body.Fn.Name, own)
		s.tell(c, o, keeper.Access)
	}
}

// twinsLock is the only lock that is held at o, if it is a part of an object of the same type as
// that of o, and known to be another one; given says that both are parameters.
func (s *search) twinsLock(o *occurrence) (lock accesses.Place, given bool) {
	list := locksOf(o.held)
	if len(list) != 1 || len(o.held) != 1 {
		return accesses.Place{}, false
	}
	l := list[0]
	if v := fieldAt(l); v == nil || !holdsItself(v.Type()) {
		return accesses.Place{}, false // perhaps both point to one lock
	}
	of, object := l.Object(), o.place.Object()
	if s.comparesTwins(of, object) {
		return accesses.Place{}, false // they may be one, and it knows
	}
	if apartByIndex(of, object) {
		return l, false
	}
	if of.Root == object.Root {
		return accesses.Place{}, false
	}
	own, ok := of.Root.(*types.Var)
	other, isVar := object.Root.(*types.Var)
	if !ok || !isVar || of.Path != object.Path || accesses.IsGlobal(own) || accesses.IsGlobal(other) || !types.Identical(own.Type(), other.Type()) || !pointers(own.Type()) {
		return accesses.Place{}, false
	}
	if s.ofCaller(own) && s.ofCaller(other) {
		return l, true
	}
	if !s.fromOneSource(own, other) {
		return accesses.Place{}, false
	}
	return l, false
}

// comparesTwins says whether the body asks whether the two objects are one.
func (s *search) comparesTwins(a, b accesses.Place) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if x, ok := n.(*ast.BinaryExpr); ok && (x.Op == token.EQL || x.Op == token.NEQ) {
			p, q := s.pkg.PlaceOf(x.X), s.pkg.PlaceOf(x.Y)
			i, j := "["+types.ExprString(x.X)+"]", "["+types.ExprString(x.Y)+"]"
			found = found || p == a && q == b || p == b && q == a ||
				strings.HasSuffix(a.Path, i) && strings.HasSuffix(b.Path, j) || strings.HasSuffix(a.Path, j) && strings.HasSuffix(b.Path, i)
		}
		return !found
	})
	return found
}

// apartByIndex says whether the two places are elements of one list at different indices.
func apartByIndex(a, b accesses.Place) bool {
	i, j := strings.LastIndexByte(a.Path, '['), strings.LastIndexByte(b.Path, '[')
	return a.Root == b.Root && i == j && i >= 0 && a.Path[:i] == b.Path[:j] && a.Path != b.Path && strings.HasSuffix(a.Path, "]") && strings.HasSuffix(b.Path, "]")
}

// holdsItself says whether a variable of the type is a lock, and no reference to one.
func holdsItself(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// ofCaller says whether v is the receiver or a parameter of the function searched.
func (s *search) ofCaller(v *types.Var) bool {
	sig := s.body.Type(s.pkg.Info)
	if sig == nil || len(s.values.assigns[v]) > 0 {
		return false
	}
	if sig.Recv() == v {
		return true
	}
	for p := range sig.Params().Variables() {
		if p == v {
			return true
		}
	}
	return false
}

// fromOneSource says whether the two locals were given what one function returns for different
// arguments, or elements of one container at different keys.
func (s *search) fromOneSource(a, b *types.Var) bool {
	of, and := s.values.assigns[a], s.values.assigns[b]
	if len(of) != 1 || len(and) != 1 {
		return false
	}
	switch x := ast.Unparen(of[0].value).(type) {
	case *ast.CallExpr:
		y, ok := ast.Unparen(and[0].value).(*ast.CallExpr)
		if !ok || len(x.Args) == 0 || len(x.Args) != len(y.Args) || types.ExprString(x.Fun) != types.ExprString(y.Fun) {
			return false
		}
		return x == y || !slices.EqualFunc(x.Args, y.Args, func(p, q ast.Expr) bool { return types.ExprString(p) == types.ExprString(q) })
	case *ast.IndexExpr:
		y, ok := ast.Unparen(and[0].value).(*ast.IndexExpr)
		return ok && types.ExprString(x.X) == types.ExprString(y.X) && types.ExprString(x.Index) != types.ExprString(y.Index)
	}
	return false
}

// fieldAt is the field at the end of the place, which may lead through elements of lists; or nil.
func fieldAt(pl accesses.Place) *types.Var {
	if pl.Root == nil {
		return nil
	}
	t, v, rest := pl.Root.Type(), (*types.Var)(nil), pl.Path
	for rest != "" {
		if rest[0] == '[' {
			depth, end := 0, 0
			for end = range rest {
				switch rest[end] {
				case '[':
					depth++
				case ']':
					depth--
				}
				if depth == 0 {
					break
				}
			}
			if t, rest, v = elementsOf(t), rest[end+1:], nil; t == nil {
				return nil
			}
			continue
		}
		name := rest[1:]
		if end := strings.IndexAny(name, ".["); end >= 0 {
			name = name[:end]
		}
		rest = rest[1+len(name):]
		if v = fieldOfType(t, name); v == nil {
			return nil
		}
		t = v.Type()
	}
	if v == nil {
		return nil
	}
	return v.Origin()
}

// fieldOfType is the field of a struct, or of one that a pointer leads to, or nil.
func fieldOfType(t types.Type, name string) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Name() == name {
				return f
			}
		}
	}
	return nil
}

// elementsOf is the type of the elements of a list or map, or of one that a pointer leads to.
func elementsOf(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		return a.Elem()
	}
	return elementType(t)
}

// keptByItself is an access by another function under that lock of the very object, and the lock,
// if all others, two at least, make theirs so.
func (s *search) keptByItself(o *occurrence, lock *types.Var) (*placed, accesses.Place) {
	var keeper *placed
	var held accesses.Place
	others := map[*accesses.Body]bool{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(o.Var) {
		if k.body.Outermost() == current.body.Outermost() {
			continue
		}
		s.bodyState = s.states[k.body]
		if s.reachOf(k.occurrence) == shared.Private {
			continue
		}
		l := accesses.Place{}
		for _, own := range locksOf(k.held) {
			if own.Beside(k.place) && fieldAt(own) == lock {
				l = own
			}
		}
		if !l.Valid() && slices.ContainsFunc(locksOf(k.held), func(other accesses.Place) bool { return fieldAt(other) == lock }) {
			continue // that of another object there, too
		}
		if !l.Valid() || k.Mode == atomicity.Write && k.held[l] != locks.Exclusive {
			return nil, held
		}
		if k.Mode == atomicity.Write || o.Mode == atomicity.Write {
			others[k.body] = true
			if keeper == nil {
				keeper, held = &k, l
			}
		}
	}
	s.bodyState = current
	if len(others) < 2 {
		return nil, held
	}
	if _, strong, _ := s.shared.RivalsAmong(s.body, o.Var, others); !strong {
		return nil, held
	}
	return keeper, held
}
