package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"iter"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
)

// repeatable is a method of the package that ends something and may be called again,
// and that stands for the exported method searched, which closes c whatever its state:
// the method of the same name that this one calls on what it wraps, or that of another
// type behind the same interface. Who knows the one calls the other twice as well.
func (s *search) repeatable(c closeCall) *accesses.Body {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || !endings.MatchString(fn.Name()) || !s.always(c) || s.recovers() || !s.saysNothing(fn) {
		return nil
	}
	owner := accesses.TypeName(fn.Signature().Recv().Type())
	if owner == nil {
		return nil
	}
	wrapped := s.wrapped(fn, c)
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || b.Func == fn || b.Func.Name() != fn.Name() || b.Func.Signature().Recv() == nil {
			continue
		}
		other := accesses.TypeName(b.Func.Signature().Recv().Type())
		if other == nil || other == owner || !s.endsAgain(b) {
			continue
		}
		if wrapped != nil && implements(other, wrapped) || s.alike(owner, other, fn.Name()) {
			return b
		}
	}
	return nil
}

func (s *search) unrepeatable(c closeCall, other *accesses.Body) {
	d := s.direct("testuse", "double-close", c.channel.Access, c.call.Pos(), other.Func.Pos())
	d.Roles = [2]string{"closed", "safe to call again"}
	d.EndName = other.Fn.Name
	d.Message = fmt.Sprintf("%s is closed without a look whether it is closed already: a second call panics, as it does not with %s",
		types.ExprString(c.channel.Expr), other.Fn.Name)
	if (s.shared.Launched(s.body) || s.shared.Entered(s.body)) && !s.shared.Constructing(s.body) {
		s.tell(d, c.channel, c.channel.Access)
	}
}

// wrapped is the type of the field of the receiver on which the body, before c, calls the
// method of the same name, or nil.
func (s *search) wrapped(fn *types.Func, c closeCall) types.Type {
	var t types.Type
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, _ locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || call.Pos() > c.call.Pos() || s.anyDecides(block) {
			return
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != fn.Name() {
			return
		}
		if pl := s.pkg.PlaceOf(sel.X); pl.Root == types.Object(fn.Signature().Recv()) && pl.Path != "" {
			t = s.pkg.Info.TypeOf(sel.X)
		}
	})
	return t
}

// implements says whether the type is t, or one that stands behind the interface t.
func implements(tn *types.TypeName, t types.Type) bool {
	if iface, ok := t.Underlying().(*types.Interface); ok {
		named, ok := tn.Type().(*types.Named)
		return ok && named.TypeParams().Len() == 0 && iface.NumMethods() > 1 && types.Implements(types.NewPointer(named), iface)
	}
	return accesses.TypeName(t) == tn
}

// alike says whether both types stand behind one interface of the package, or one that it
// names, that has the method and others.
func (s *search) alike(a, b *types.TypeName, method string) bool {
	for i := range s.namedInterfaces() {
		if obj, _, _ := types.LookupFieldOrMethod(i, false, s.pkg.Types, method); obj != nil && implements(a, i) && implements(b, i) {
			return true
		}
	}
	return false
}

// namedInterfaces are the interfaces of the package, and those that it names, generic ones
// aside.
func (s *search) namedInterfaces() iter.Seq[*types.Named] {
	if s.interfaces == nil {
		s.interfaces = map[*types.TypeName]bool{}
		scope := s.pkg.Types.Scope()
		for _, name := range scope.Names() {
			if tn, ok := scope.Lookup(name).(*types.TypeName); ok && types.IsInterface(tn.Type()) {
				s.interfaces[tn] = true
			}
		}
		for _, obj := range s.pkg.Info.Uses {
			if tn, ok := obj.(*types.TypeName); ok && types.IsInterface(tn.Type()) {
				s.interfaces[tn] = true
			}
		}
	}
	return func(yield func(*types.Named) bool) {
		for tn := range s.interfaces {
			if named, ok := tn.Type().(*types.Named); ok && named.TypeParams().Len() == 0 && !yield(named) {
				return
			}
		}
	}
}

// endsAgain says whether a second call of the method does no harm, and is provided for: it
// closes channels only after a look, or in a sync.Once, or does nothing but set flags
// under a lock.
func (s *search) endsAgain(b *accesses.Body) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	closes, safe := false, true
	for _, part := range append([]*accesses.Body{b}, b.Lits...) {
		s.bodyState = s.states[part]
		for _, c := range s.closeCalls() {
			closes = true
			safe = safe && (c.held.Holds(locks.Once) || s.lookedAt(c) != nil || s.anyDecides(c.block) && (c.held.Excludes() || s.claimed(c.block)))
		}
	}
	if closes {
		return safe
	}
	s.bodyState = s.states[b]
	sets := false
	for _, o := range s.order {
		if o.Mode != atomicity.Write || o.via != nil {
			continue
		}
		flag, values := types.Identical(o.Var.Obj.Type(), types.Typ[types.Bool]), stored(o.Access)
		if !flag || len(values) != 1 || s.pkg.Info.Types[values[0]].Value == nil || !o.held.Excludes() || o.place.Root != types.Object(b.Func.Signature().Recv()) {
			return false
		}
		sets = true
	}
	for _, events := range b.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || len(s.locks.Ops(ev)) > 0 {
				continue
			}
			if fn := s.locks.Callee(call); fn == nil || fn.FullName() != "(*sync.Cond).Broadcast" && fn.FullName() != "(*sync.Cond).Signal" {
				return false
			}
		}
	}
	return sets
}

// claimed says whether a read-modify-write operation decides whether control comes to the
// block: of several goroutines one comes there.
func (s *search) claimed(block int) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides {
			continue
		}
		for _, c := range conds {
			for a := range s.values.of(c) {
				if rmw(a) {
					return true
				}
			}
		}
	}
	return false
}
