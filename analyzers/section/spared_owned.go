package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// ownedType says whether the variable is an atomic field of a type without a lock
// whose methods write at least two of its plain fields, and none of them under a
// lock: one goroutine uses the object, and the atomic is for those who look on.
func (f *finding) ownedType() bool {
	tn := holderType(f.entry.place)
	return tn != nil && f.plainlyWritten()[tn] >= 2
}

// holderType is the type of the object that the place starts from, if the
// variable is one of its own fields.
func holderType(pl accesses.Place) *types.TypeName {
	v, ok := pl.Root.(*types.Var)
	if !ok || strings.Count(pl.Path, ".") > 1 {
		return nil
	}
	return accesses.TypeName(v.Type())
}

// plainlyWritten counts, for the types without a lock, the fields that methods
// write with no lock held.
func (s *search) plainlyWritten() map[*types.TypeName]int {
	if s.plain != nil {
		return s.plain
	}
	s.plain = map[*types.TypeName]int{}
	fields := map[access.Var]bool{}
	guarded := map[*types.TypeName]bool{}
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || b.Func.Signature().Recv() == nil || s.shared.Constructing(b) || s.shared.SetsGoing(b) {
			continue
		}
		for _, o := range s.states[b].order {
			if o.Mode != atomicity.Write || o.Kind != access.Cell || o.via != nil || o.place.Root != types.Object(b.Func.Signature().Recv()) || fields[o.Var] {
				continue
			}
			tn := holderType(o.place)
			if tn == nil || lockField(tn.Type()) {
				continue
			}
			if len(o.held) > 0 {
				guarded[tn] = true
				continue
			}
			fields[o.Var] = true
			s.plain[tn]++
		}
	}
	for tn := range guarded {
		delete(s.plain, tn)
	}
	return s.plain
}

// lockField says whether a struct has a field that is, or points to, a lock.
func lockField(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range st.Fields() {
		if tn := accesses.TypeName(field.Type()); tn != nil && strings.HasSuffix(tn.Name(), "Mutex") {
			return true
		}
	}
	return false
}

// gated says whether the body, a function literal, is only made where an
// indivisible operation has chosen one goroutine: if n.Add(1) > 1 { return }; go
// func() { … }().
func (f *finding) gated() bool {
	inner := f.body
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for outer := inner.Parent; outer != nil; inner, outer = outer, outer.Parent {
		f.bodyState = f.states[outer]
		at := -1
		for block, events := range outer.Events {
			for _, ev := range events {
				if ev.Node != nil && ev.Node.Pos() <= inner.Node.Pos() && inner.Node.End() <= ev.Node.End() {
					at = block
				}
			}
		}
		if at >= 0 && f.wonAt(at) {
			return true
		}
	}
	return false
}

// unused says whether nothing is done with what the entry has found but to see
// that it is there: deleting it twice is deleting it once.
func (f *finding) unused() bool {
	if f.entry.lit {
		return false
	}
	call := f.found()
	if f.entry.via != nil && tells(f.pkg.Info.TypeOf(call)) {
		return true // if m.Has(k)
	}
	used, bound := false, false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || ast.Unparen(assign.Rhs[0]) != call {
			return true
		}
		bound = true
		for i, l := range assign.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok {
				used = true
				continue
			}
			if id.Name == "_" || i > 0 && tells(f.pkg.Info.TypeOf(id)) {
				continue
			}
			used = used || f.usedBeyondNil(f.pkg.Info.ObjectOf(id))
		}
		return false
	})
	return bound && !used
}

// usedBeyondNil says whether the variable is used for more than a comparison with
// nil.
func (s *search) usedBeyondNil(v types.Object) bool {
	compared := map[*ast.Ident]bool{}
	used := false
	ast.Inspect(s.body.Fn.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if s.pkg.Info.Types[n.Y].IsNil() {
				if id, ok := ast.Unparen(n.X).(*ast.Ident); ok {
					compared[id] = true
				}
			}
		case *ast.Ident:
			if s.pkg.Info.Uses[n] == v && !compared[n] {
				used = true
			}
		}
		return true
	})
	return used
}

// softBound says whether the end adds an amount that the test has not compared
// with anything: the bound may be overrun by one addition, whoever makes it.
func (f *finding) softBound(end *hit) bool {
	values := stored(end.source())
	if call := end.via; call != nil {
		values = end.stores
	}
	if !strings.HasPrefix(end.Method, "Add") || len(values) != 1 || f.pkg.Info.Types[values[0]].Value != nil {
		return false
	}
	amount := ""
	ast.Inspect(values[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if _, isVar := f.pkg.Info.ObjectOf(id).(*types.Var); isVar {
				amount = id.Name
			}
		}
		return true
	})
	for _, test := range f.trail.tests {
		for _, cond := range f.body.Conds[test] {
			compared := false
			ast.Inspect(cond, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id.Name == amount {
					compared = true
				}
				return true
			})
			if compared || amount == "" {
				return false
			}
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if !ok || f.pkg.Info.Types[b.Y].Value == nil && f.pkg.Info.Types[b.X].Value == nil {
				return false
			}
		}
	}
	return len(f.trail.tests) > 0
}

// missed says whether only those come to the end who have found nothing at the
// key: what they store is not made of what they read.
func (f *finding) missed(end *hit) bool {
	if f.entry.Kind != access.MapElement || f.entry.via != nil || f.entry.Update != nil {
		return false
	}
	var value, found types.Object
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 && ast.Unparen(assign.Rhs[0]) == f.entry.Expr {
			for i, l := range assign.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Name != "_" && i == 0 {
					value = f.pkg.Info.ObjectOf(id)
				} else if ok && id.Name != "_" {
					found = f.pkg.Info.ObjectOf(id)
				}
			}
		}
		return true
	})
	if found == nil && value == nil {
		return false
	}
	for block, conds := range f.body.Conds {
		if len(conds) != 1 {
			continue
		}
		cond, absent := ast.Unparen(conds[0]), 1
		if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
			cond, absent = ast.Unparen(not.X), 0
		}
		if b, ok := cond.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && f.pkg.Info.Types[b.Y].IsNil() {
			if id, ok := ast.Unparen(b.X).(*ast.Ident); ok && value != nil && f.pkg.Info.Uses[id] == value {
				if b.Op == token.EQL {
					absent = 1 - absent
				}
				if ok, edge := f.decides(block, end.block); ok && edge == absent {
					return true
				}
			}
		}
		if id, ok := cond.(*ast.Ident); ok && found != nil && f.pkg.Info.Uses[id] == found {
			if ok, edge := f.decides(block, end.block); ok && edge == absent {
				return true
			}
		}
	}
	return false
}

// memo says whether the variable is a store that this function alone uses, in
// which it looks something up and makes what is not there: what another's store
// has taken away is made again.
func (f *finding) memo(end *hit) bool {
	if f.reckonsOn(end) {
		return false
	}
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == f.body.Outermost() {
			continue
		}
		for _, o := range f.states[b].order {
			if o.Var == f.entry.Var && o.via == nil {
				return false
			}
		}
	}
	for block, conds := range f.body.Conds {
		for _, cond := range conds {
			if _, mine := f.values.of(cond)[f.entry.Access]; !mine {
				continue
			}
			if ok, _ := f.decides(block, end.block); ok {
				return true
			}
		}
	}
	return false
}

// foreignLocal says whether the variable is part of an object of another package
// that a local of the function holds, such as a transaction that it has begun: the
// lock inside tells what the type can bear, not what is done with this object.
func (f *finding) foreignLocal() bool {
	root, ok := f.entry.place.Root.(*types.Var)
	if !ok || f.entry.via == nil || f.entry.Var.Obj.Pkg() == f.pkg.Types || accesses.IsGlobal(root) {
		return false
	}
	block := f.body.Outermost().Block
	return block.Pos() <= root.Pos() && root.Pos() < block.End()
}
