package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// computesAlone says whether all that is done between the test of an atomic variable and the
// store is to compute what is stored, of what nobody changes once the object is there, with
// nothing but locals to compute by: two goroutines store the same.
//
//	if d := n.digest.Load(); d != 0 { return d }
//	h := fnv.New64a(); h.Write(n.key); for _, k := range n.kids { add(h, k.Digest()) }
//	n.digest.Store(h.Sum64())
func (f *finding) computesAlone(end *hit) bool {
	fn := f.body.Func
	if fn == nil || f.entry.Kind != access.Atomic || end.via != nil || end.Mode != atomicity.Write || indivisible(end.Access) || end.later {
		return false
	}
	values := stored(end.Access)
	if len(values) != 1 || f.pkg.Info.Types[values[0]].Value != nil || f.mentionsParameter(f.body) {
		return false
	}
	if _, basic := f.values.underlying(values[0]).(*types.Basic); !basic {
		return false
	}
	branches := false
	for _, test := range f.trail.tests {
		ok, edge := f.decides(test, end.block)
		if !ok {
			continue
		}
		branches = true
		succs := f.body.CFG.Blocks[test].Succs
		mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
		for i, events := range f.body.Events {
			if !mine[i] || other[i] {
				continue
			}
			for _, ev := range events {
				if !f.partOfIt(ev, end) {
					return false
				}
			}
		}
	}
	return branches
}

// partOfIt says whether the event is a part of such a computation.
func (f *finding) partOfIt(ev accesses.Event, end *hit) bool {
	switch ev.Kind {
	case accesses.OnGo, accesses.OnDefer, accesses.OnSend, accesses.OnReceive:
		return false
	case accesses.OnCall:
		call := ev.Node.(*ast.CallExpr)
		return ast.Expr(call) == end.Expr || f.onlyComputes(call)
	case accesses.OnAccess:
		a := ev.Access
		if a == end.Access || a.Var == f.entry.Var {
			return true
		}
		if !a.Var.Obj.IsField() && !accesses.IsGlobal(a.Var.Obj) {
			return true // a local
		}
		if o := f.occ[a]; o != nil && a.Mode == atomicity.Read {
			return f.unchanging(a.Var)
		}
		return false
	}
	return true
}

// unchanging says whether nothing in the package changes the variable once it can be reached.
func (f *finding) unchanging(v access.Var) bool {
	return !f.shared.Use(v).Written() && !f.shared.Use(access.Var{Obj: v.Obj}).Written()
}

// reckoning are the packages whose functions and objects have no memory of their own.
var reckoning = pattern.New(`^(strings|bytes|math|math/bits|strconv|slices|sort|maps|cmp|unicode.*|errors|fmt|hash|hash/.*|crypto/(md5|sha1|sha256|sha512|sha3)|encoding/(binary|hex|base32|base64)|path)$`)

// onlyComputes says whether the call does nothing but compute what it returns, or changes an
// object that the function has made by such a call.
func (f *finding) onlyComputes(call *ast.CallExpr) bool {
	if f.pkg.Info.Types[call.Fun].IsType() {
		return true
	}
	if id := identOf(call.Fun); id != nil {
		if b, ok := f.pkg.Info.Uses[id].(*types.Builtin); ok {
			return b.Name() != "close" && b.Name() != "panic"
		}
	}
	if reads := f.values.reads[call]; len(reads) > 0 {
		for _, a := range reads {
			if a.Var != f.entry.Var && !f.unchanging(a.Var) {
				return false
			}
		}
		return f.harmless(call)
	}
	fn := f.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if fn.Origin() == f.body.Func {
		return true // it computes the same of a part
	}
	if reckoning.MatchString(fn.Pkg().Path()) || writesLog(fn) {
		return true
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id := identOf(sel.X)
	if id == nil || f.isParameter(id) {
		return false
	}
	list := f.values.assigns[f.pkg.Info.ObjectOf(id)]
	for _, d := range list {
		maker, isCall := ast.Unparen(d.value).(*ast.CallExpr)
		if !isCall {
			return false
		}
		made := f.locks.Callee(maker)
		if made == nil || made.Pkg() == nil || !reckoning.MatchString(made.Pkg().Path()) {
			return false
		}
	}
	return len(list) > 0
}

// mentionsParameter says whether the body uses a parameter, the receiver aside.
func (f *finding) mentionsParameter(b *accesses.Body) bool {
	for p := range b.Func.Signature().Params().Variables() {
		if f.mentionsIn(b.Block, p) {
			return true
		}
	}
	return false
}

func (f *finding) mentionsIn(block *ast.BlockStmt, obj types.Object) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.pkg.Info.Uses[id] == obj {
			found = true
		}
		return !found
	})
	return found
}
