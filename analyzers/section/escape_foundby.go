package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// foundFor is the read, under a lock, of the map entry or element that o belongs to: the body
// makes it itself or by a getter, and comes from it to o by way of locals, fields and type
// assertions (e := s.m[k]; n := e.Value.(*node); n.field). Of several assignments to a local
// the last one counts that o is in the block of. It is nil if there is none.
func (s *search) foundFor(o *occurrence) *occurrence {
	return s.foundBy(baseOf(o.Cell), o, 0)
}

func (s *search) foundBy(e ast.Expr, o *occurrence, depth int) *occurrence {
	id, ok := e.(*ast.Ident)
	if !ok || depth > 3 {
		return nil
	}
	local := s.pkg.Info.ObjectOf(id)
	if local == nil {
		return nil
	}
	def := s.definition(local, o)
	if def == nil {
		return nil
	}
	if _, ok := local.Type().Underlying().(*types.Pointer); ok {
		if src := s.lookUp(def); src != nil {
			return src
		}
	}
	value := ast.Unparen(def.value)
	if _, call := value.(*ast.CallExpr); call || isContainer(s.pkg.Info.TypeOf(value)) {
		return nil
	}
	return s.foundBy(baseOf(value), o, depth+1)
}

// definition is the last assignment to the local before o, in a block that o lies in.
func (s *search) definition(local types.Object, o *occurrence) *assignment {
	var last *assignment
	list := s.values.assigns[local]
	for i := range list {
		d := &list[i]
		if d.at <= s.pkg.Order(o.Pos()) && d.from <= s.pkg.Order(o.Pos()) && s.pkg.Order(o.Pos()) < d.to && (last == nil || d.at > last.at) {
			last = d
		}
	}
	if last != nil && !s.pkg.Info.Types[last.value].IsNil() || len(list) == 0 {
		return last
	}
	for i := range list {
		if d := &list[i]; d.at <= s.pkg.Order(o.Pos()) && !s.pkg.Info.Types[d.value].IsNil() && (last == nil || d.at > last.at) {
			last = d
		}
	}
	return last
}

// lookUp is the read of an entry or element, under a lock, that the definition consists of,
// perhaps with a type assertion around it, or that a getter makes; or nil.
func (s *search) lookUp(d *assignment) *occurrence {
	e := ast.Unparen(d.value)
	if a, ok := e.(*ast.TypeAssertExpr); ok && a.Type != nil {
		e = ast.Unparen(a.X)
	}
	ranged := isContainer(s.pkg.Info.TypeOf(e))
	for _, a := range s.values.reads[e] {
		o := s.occ[a]
		if o == nil || a.Kind != access.MapElement && a.Kind != access.Element && !(ranged && isContainer(s.pkg.Info.TypeOf(a.Expr))) {
			continue
		}
		if o.via == nil && a.Expr == e || o.via == e {
			return o
		}
	}
	return nil
}

// baseOf is the expression at whose field, entry or element e lies, of whatever type.
func baseOf(e ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		default:
			return x
		}
	}
}

// takenOut says whether the body takes something out of the container that src looks into, on
// its way from there to o, or replaces the container: what was found may be its own then.
func (s *search) takenOut(src, o *occurrence) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		if w.Mode != atomicity.Write || w.Var.Obj != src.Var.Obj || w.Kind == access.Element {
			return false
		}
		return (w.Kind != access.MapElement || w.Method == "delete" || w.via != nil) && !s.isGrowth(w) && (s.leadsTo(src, w) || w.via != nil && w.via == src.via) && s.leadsTo(w, o) && !s.turnedAway(w, o)
	})
}

// isMember says whether the expression is of an object that was found in a map, slice or list,
// and not one that the body has just made.
func (s *search) isMember(e ast.Expr, o *occurrence, depth int) bool {
	for e := e; e != nil; {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			return true
		case *ast.SelectorExpr:
			if tn := accesses.TypeName(s.pkg.Info.TypeOf(x.X)); tn != nil && tn.Name() == "Element" && tn.Pkg() != nil && tn.Pkg().Path() == "container/list" {
				return true
			}
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.Ident:
			local := s.pkg.Info.ObjectOf(x)
			if local == nil || depth > 3 {
				return false
			}
			list := s.values.assigns[local]
			if len(list) == 0 {
				return s.givenMember(local, depth)
			}
			if slices.ContainsFunc(list, func(d assignment) bool {
				return d.at <= s.pkg.Order(o.Pos()) && d.from <= s.pkg.Order(o.Pos()) && s.pkg.Order(o.Pos()) < d.to && s.isMade(d.value)
			}) {
				return false
			}
			return slices.ContainsFunc(list, func(d assignment) bool {
				return slices.ContainsFunc(s.values.reads[ast.Unparen(d.value)], func(a *access.Access) bool {
					return a.Kind == access.MapElement || a.Kind == access.Element || a.Kind == access.MapWhole || isContainer(s.pkg.Info.TypeOf(a.Expr))
				}) || s.isMember(d.value, o, depth+1)
			})
		default:
			return false
		}
	}
	return false
}

// givenMember says whether the local is the receiver or a parameter of a method or function that
// is not exported, and some call in the package gives it such an object.
func (s *search) givenMember(local types.Object, depth int) bool {
	fn := s.body.Func
	if v, ok := local.(*types.Var); !ok || fn == nil || s.pkg.Exported(fn) || !s.ofCaller(v) {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, from := range s.callersOf(fn) {
		s.bodyState = s.stateOf(from)
		found := false
		for _, events := range from.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || found || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn {
					continue
				}
				arg := s.locks.Argument(call, fn, local)
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && arg == nil && local == types.Object(fn.Signature().Recv()) {
					arg = sel.X
				}
				found = arg != nil && s.isMember(arg, &occurrence{Access: &access.Access{Expr: call}}, depth+1)
			}
		}
		if found {
			return true
		}
	}
	return false
}

// sharedBy says whether the container that src looks into is sure to be shared: its type is
// meant to be, or the lock held there is a part of the object that holds it.
func (s *search) sharedBy(src *occurrence) bool {
	switch reach := s.reachOf(src); {
	case reach >= shared.Meant:
		return true
	case reach < shared.Implied:
		return false
	}
	return slices.ContainsFunc(src.held.Places(), func(l accesses.Place) bool {
		return src.held[l] > locks.Possible && src.place.In(l.Object())
	})
}
