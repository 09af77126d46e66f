package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sources is the set of reads that a value was computed from. The flag is set
// when the value is a plain function of the read (arithmetic, comparison, len,
// append, a copy), and unset when a call lies in between that may have made
// something unrelated of it.
type sources map[*access.Access]bool

func (s sources) add(a *access.Access, plain bool) { s[a] = s[a] || plain }

// assignment is one definition of a local variable.
type assignment struct {
	at       token.Pos // end of the statement
	from, to token.Pos // extent of the innermost block around it
	value    ast.Expr
	plain    bool
	onto     bool // x += value: what x held before is a part of it still
}

// values traces values through the local variables of one function.
type values struct {
	pkg     *accesses.Package
	reads   map[ast.Expr][]*access.Access
	assigns map[types.Object][]assignment
	// filled are the values stored into elements of a local container, or fields of a struct.
	filled map[types.Object][]assignment
	// within are those, and the keys of map entries, stored anywhere inside of what a local
	// holds or points to.
	within map[types.Object][]assignment
	// parts are the values assigned to single fields of locals.
	parts map[fieldOf][]assignment
	memo  map[ast.Expr]sources
	// around has what carried has found.
	around map[ast.Expr]sources
	// flags are the conditions under which a local is set to true or false, or to an error.
	flags map[types.Object][]assignment
	// taken are the operands that a call's results are assigned to.
	taken map[*ast.CallExpr][]ast.Expr
	loops []ast.Node
	// traced has the locals that the trace being made has been to, and how deep it was then;
	// left is how many more of their assignments it may look at.
	traced map[tracedTo]int
	left   int
}

// tracedTo is a look for what a local holds at a position.
type tracedTo struct {
	local types.Object
	field string // of the local, if that is looked for
	at    token.Pos
	plain bool
}

// maxTraced bounds what one trace takes in functions with hundreds of assignments to one local,
// such as the loops of interpreters: what comes from farther away than that is not seen.
const maxTraced = 2000

func newValues(pkg *accesses.Package, fn *access.Function) *values {
	v := &values{pkg: pkg, reads: map[ast.Expr][]*access.Access{}, assigns: map[types.Object][]assignment{}, filled: map[types.Object][]assignment{}, parts: map[fieldOf][]assignment{},
		within: map[types.Object][]assignment{}, memo: map[ast.Expr]sources{},
		flags: map[types.Object][]assignment{}, taken: map[*ast.CallExpr][]ast.Expr{}}
	for _, a := range fn.Accesses {
		if a.Mode == atomicity.Read || a.Kind == access.Atomic || a.Kind == access.SyncMap {
			v.reads[a.Expr] = append(v.reads[a.Expr], a)
		}
	}
	v.collect(fn.Node)
	for _, list := range v.assigns {
		slices.SortStableFunc(list, func(a, b assignment) int { return int(a.at - b.at) })
	}
	return v
}

// collect records the assignments to locals below n.
func (v *values) collect(n ast.Node) {
	var blocks []ast.Node
	fields := map[types.Object][]assignment{}
	record := func(l ast.Expr, value ast.Expr, stmt ast.Node, plain bool) {
		to, whole, field := v.assigns, plain, ""
		if len(blocks) > 0 {
			v.inside(l, value, stmt, blocks[len(blocks)-1])
		}
		switch x := ast.Unparen(l).(type) {
		case *ast.IndexExpr:
			l, to, plain = x.X, v.filled, false
		case *ast.SelectorExpr:
			l, to, plain, field = x.X, fields, false, x.Sel.Name
		}
		id, ok := ast.Unparen(l).(*ast.Ident)
		if !ok || value == nil {
			return
		}
		obj := v.pkg.Info.ObjectOf(id)
		if obj == nil || len(blocks) == 0 {
			return
		}
		around := blocks[len(blocks)-1]
		assign, _ := stmt.(*ast.AssignStmt)
		onto := assign != nil && assign.Tok != token.ASSIGN && assign.Tok != token.DEFINE
		d := assignment{v.pkg.Order(stmt.End()), v.pkg.Order(around.Pos()), v.pkg.Order(around.End()-1) + 1, value, plain, onto}
		to[obj] = append(to[obj], d)
		if d.plain = whole; field != "" {
			v.parts[fieldOf{obj, field}] = append(v.parts[fieldOf{obj, field}], d)
		}
	}
	ast.PreorderStack(n, nil, func(n ast.Node, stack []ast.Node) bool {
		blocks = blocks[:0]
		for _, s := range stack {
			switch s.(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
				blocks = append(blocks, s)
			}
		}
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			v.loops = append(v.loops, n)
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok && len(n.Rhs) == 1 {
				v.taken[call] = n.Lhs
			}
			v.flag(n, stack)
			for i, l := range n.Lhs {
				switch {
				case len(n.Lhs) == len(n.Rhs):
					record(l, n.Rhs[i], n, true)
				case len(n.Rhs) == 1:
					record(l, n.Rhs[0], n, true)
				}
			}
		case *ast.IncDecStmt:
			if _, ok := ast.Unparen(n.X).(*ast.IndexExpr); ok {
				record(n.X, n.X, n, false)
			}
		case *ast.CallExpr:
			if into, from := v.copyOf(n); into != nil {
				if obj := v.pkg.Info.ObjectOf(into); obj != nil && len(blocks) > 0 {
					around := blocks[len(blocks)-1]
					v.filled[obj] = append(v.filled[obj], assignment{at: v.pkg.Order(n.End()), from: v.pkg.Order(around.Pos()), to: v.pkg.Order(around.End()-1) + 1, value: from})
				}
			}
		case *ast.ValueSpec:
			for i, l := range n.Names {
				switch {
				case len(n.Values) == len(n.Names):
					record(l, n.Values[i], n, true)
				case len(n.Values) == 1:
					record(l, n.Values[0], n, true)
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				_, isMap := v.underlying(n.X).(*types.Map)
				record(n.Key, n.X, n.X, isMap)
			}
			if n.Value != nil {
				record(n.Value, n.X, n.X, false)
			}
		}
		return true
	})
	for obj, list := range fields {
		if v.isOwn(obj) {
			v.filled[obj] = append(v.filled[obj], list...)
		}
	}
}

// inside records that value is stored where l says, if that is a place inside of what a local
// holds or points to.
func (v *values) inside(l, value ast.Expr, stmt, around ast.Node) {
	root := rootOf(v.pkg.Info, l)
	if _, itself := ast.Unparen(l).(*ast.Ident); itself || root == nil || value == nil {
		return
	}
	d := assignment{at: v.pkg.Order(stmt.End()), from: v.pkg.Order(around.Pos()), to: v.pkg.Order(around.End()-1) + 1, value: value}
	v.within[root] = append(v.within[root], d)
	if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
		if _, isMap := v.underlying(x.X).(*types.Map); isMap {
			d.value = x.Index
			v.within[root] = append(v.within[root], d)
		}
	}
}

// flag records the condition under which n sets a local to true or false, to an error, or to the element of a collection
// that is looked for.
func (v *values) flag(n *ast.AssignStmt, stack []ast.Node) {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Tok != token.ASSIGN || len(stack) < 2 {
		return
	}
	id, ok := n.Lhs[0].(*ast.Ident)
	tv := v.pkg.Info.Types[n.Rhs[0]]
	if !ok || (tv.Value == nil || tv.Value.Kind() != constant.Bool) && !v.isElement(n.Rhs[0]) && !accesses.IsFailure(v.pkg.Info, n.Rhs[0]) {
		return
	}
	branch, ok := stack[len(stack)-2].(*ast.IfStmt)
	if obj := v.pkg.Info.ObjectOf(id); ok && obj != nil {
		v.flags[obj] = append(v.flags[obj], assignment{at: v.pkg.Order(n.End()), value: branch.Cond})
	}
}

// onlyFails says whether the local is no error, or one that is set to nil and to errors made there alone, so that what it is
// tells about the conditions.
func (v *values) onlyFails(local types.Object) bool {
	for _, f := range v.assigns[local] {
		if accesses.IsFailure(v.pkg.Info, f.value) {
			return isError(local.Type()) && !slices.ContainsFunc(v.assigns[local], func(d assignment) bool {
				return !v.pkg.Info.Types[d.value].IsNil() && !accesses.IsFailure(v.pkg.Info, d.value)
			})
		}
	}
	return true
}

// of is the set of reads that the value of e, evaluated where it stands, comes
// from.
func (v *values) of(e ast.Expr) sources {
	if e == nil {
		return nil
	}
	if s, ok := v.memo[e]; ok {
		return s
	}
	v.memo[e] = nil // cycles through loops add nothing
	s := sources{}
	traced, left := v.traced, v.left
	v.traced, v.left = nil, maxTraced
	v.trace(e, e.Pos(), true, 0, s)
	v.traced, v.left = traced, left
	v.memo[e] = s
	return s
}

func (v *values) trace(e ast.Expr, at token.Pos, plain bool, depth int, into sources) {
	if e == nil || depth > 12 {
		return
	}
	for _, a := range v.reads[e] {
		into.add(a, plain)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		v.trace(e.X, at, plain, depth, into)
	case *ast.Ident:
		v.local(e, at, plain, depth, into)
	case *ast.UnaryExpr:
		switch {
		case e.Op == token.AND:
			for _, part := range v.copiedBy(e.X) {
				v.trace(part, at, false, depth+1, into)
			}
			for _, next := range v.links(e) {
				v.trace(next, at, plain, depth+1, into)
			}
		case e.Op != token.ARROW:
			v.trace(e.X, at, plain, depth+1, into)
		}
	case *ast.StarExpr:
		switch v.underlying(e).(type) {
		case *types.Interface: // what an atomic pointer to it holds
			v.trace(e.X, at, plain, depth+1, into)
		case *types.Struct, *types.Map, *types.Slice: // a copy of it, or what a copy is made of
			v.trace(e.X, at, false, depth+1, into)
		}
	case *ast.BinaryExpr:
		v.trace(e.X, at, plain, depth+1, into)
		v.trace(e.Y, at, plain, depth+1, into)
	case *ast.SliceExpr:
		v.trace(e.X, at, plain, depth+1, into)
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				v.trace(i, at, plain, depth+1, into)
			}
		}
	case *ast.TypeAssertExpr:
		v.trace(e.X, at, plain, depth+1, into)
	case *ast.IndexExpr:
		// An element belongs to the container and index it is taken by.
		if _, isMap := v.underlying(e.X).(*types.Map); !isMap {
			v.trace(e.X, at, false, depth+1, into)
			v.trace(e.Index, at, false, depth+1, into)
		} else if id, ok := ast.Unparen(e.X).(*ast.Ident); ok {
			v.local(id, at, false, depth, into)
		} else if star, ok := ast.Unparen(e.X).(*ast.StarExpr); ok {
			v.trace(star.X, at, false, depth+1, into)
		}
	case *ast.CompositeLit:
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			v.trace(el, at, false, depth+1, into)
		}
	case *ast.CallExpr:
		if tv, ok := v.pkg.Info.Types[e.Fun]; ok && tv.IsType() {
			for _, a := range e.Args {
				v.trace(a, at, plain, depth+1, into)
			}
			return
		}
		through := plain && v.pure(e)
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			if b, ok := v.pkg.Info.Uses[id].(*types.Builtin); ok {
				through = plain && b.Name() != "make" && b.Name() != "new"
			}
		}
		if len(v.reads[e]) > 0 && !v.pure(e) {
			return // an atomic operation or getter: its operands are not its value
		}
		for _, a := range e.Args {
			v.trace(a, at, through, depth+1, into)
		}
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
			v.trace(sel.X, at, through, depth+1, into)
		}
	case *ast.SelectorExpr:
		switch x := ast.Unparen(e.X).(type) {
		case *ast.Ident:
			v.local(x, at, plain && v.isPointerIn(e, x), depth, into)
			v.field(e, at, plain, depth, into)
		case *ast.IndexExpr: // of a copy that is not given a name
			if _, isStruct := v.underlying(x).(*types.Struct); isStruct {
				v.trace(x, at, plain, depth+1, into)
			}
		}
	}
}

// isPointerIn says whether the field is a pointer in a copy of the whole: it tells by being nil whether there is such a
// thing, as the whole does. What a pointer to the whole leads to may have changed.
func (v *values) isPointerIn(field *ast.SelectorExpr, whole *ast.Ident) bool {
	_, isStruct := v.underlying(whole).(*types.Struct)
	_, isPointer := v.underlying(field).(*types.Pointer)
	return isStruct && isPointer
}

// copiedBy are the operands of which e, whose address is taken, is a copy or a changed
// copy: a local, or the fields of another value of the type.
func (v *values) copiedBy(e ast.Expr) []ast.Expr {
	var parts []ast.Expr
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj := v.pkg.Info.ObjectOf(e); len(v.assigns[obj])+len(v.filled[obj]) > 0 {
			parts = append(parts, e)
		}
	case *ast.CompositeLit:
		t := v.pkg.Info.TypeOf(e)
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			sel, ok := ast.Unparen(el).(*ast.SelectorExpr)
			if !ok || t == nil {
				continue
			}
			of := v.pkg.Info.TypeOf(sel.X)
			if p, isPtr := of.(*types.Pointer); isPtr {
				of = p.Elem()
			}
			if of != nil && types.Identical(of, t) {
				parts = append(parts, sel)
			}
		}
	}
	return parts
}

// links are the elements of &node{next: head} that are of the type of the whole.
func (v *values) links(e *ast.UnaryExpr) (list []ast.Expr) {
	lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
	t := v.pkg.Info.TypeOf(e)
	if !ok || t == nil {
		return nil
	}
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		if of := v.pkg.Info.TypeOf(el); of != nil && types.Identical(of, t) {
			list = append(list, el)
		}
	}
	return list
}

// walks says whether e depends on the elements of a collection that a loop walks
// through, one after the other, and a is the read of the collection.
func (v *values) walks(e ast.Expr, a *access.Access) bool {
	if a.Kind != access.Cell || a.Var.Contents {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return !found
		}
		for _, d := range v.assigns[v.pkg.Info.ObjectOf(id)] {
			found = found || slices.Contains(v.reads[ast.Unparen(d.value)], a) && !types.Identical(v.underlying(id), v.underlying(d.value))
		}
		return !found
	})
	return found
}

// isIndex says whether e is the local that counts through a slice in a range loop, or one
// that such a local is assigned to where something has been found.
func (v *values) isIndex(e ast.Expr) bool { return v.indexAt(e, 0) }

func (v *values) indexAt(e ast.Expr, depth int) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || depth > 2 {
		return false
	}
	t, ok := v.underlying(id).(*types.Basic)
	if !ok || t.Info()&types.IsInteger == 0 {
		return false
	}
	for _, d := range v.assigns[v.pkg.Info.ObjectOf(id)] {
		if _, ok := v.underlying(d.value).(*types.Slice); ok && !d.plain || v.indexAt(d.value, depth+1) {
			return true
		}
	}
	return false
}

// local traces the definitions of id that reach position at.
func (v *values) local(id *ast.Ident, at token.Pos, plain bool, depth int, into sources) {
	at = v.pkg.Order(at)
	if !v.goesTo(tracedTo{v.pkg.Info.ObjectOf(id), "", at, plain}, depth) {
		return
	}
	for _, d := range v.filled[v.pkg.Info.ObjectOf(id)] {
		if d.at <= at {
			v.left--
			v.trace(d.value, d.value.Pos(), false, depth+2, into)
		}
	}
	for _, d := range v.flags[v.pkg.Info.ObjectOf(id)] {
		if d.at > at || depth > 4 || !v.onlyFails(v.pkg.Info.ObjectOf(id)) {
			continue
		}
		for a, isPlain := range v.of(d.value) {
			if isPlain || v.walks(d.value, a) {
				into.add(a, plain)
			}
		}
	}
	list := v.assigns[v.pkg.Info.ObjectOf(id)]
	seen := false
	for i := len(list) - 1; i >= 0; i-- {
		d := list[i]
		if d.at > at {
			continue
		}
		if seen = true; v.left <= 0 {
			return
		}
		v.left--
		v.trace(d.value, d.value.Pos(), plain && d.plain, depth+2, into)
		if !d.onto && d.from <= at && at < d.to {
			return // later than all before it, on every path
		}
	}
	if !seen {
		for _, d := range list { // carried around a loop
			v.trace(d.value, d.value.Pos(), false, depth+4, into)
		}
	}
}

// goesTo says whether the trace has not been there yet, or from farther away only, and notes that it is.
func (v *values) goesTo(there tracedTo, depth int) bool {
	if least, ok := v.traced[there]; ok && least <= depth || v.left <= 0 {
		return false
	}
	if v.traced == nil {
		v.traced = map[tracedTo]int{}
	}
	v.traced[there] = depth
	v.left--
	return true
}
