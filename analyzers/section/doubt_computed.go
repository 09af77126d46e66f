package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// ofKeyAlone says whether the value that is stored under the entry's key is computed
// from that key and from what never changes: whoever computes it again gets the same,
// however large it is. That others change what it refers to is for the caller to see.
func (f *finding) ofKeyAlone(v ast.Expr) bool {
	key := f.entry.Key
	if f.entry.via != nil {
		key = nil
		if len(f.entry.via.Args) == 1 && f.givenWith(v, f.entry.via.Args[0]) { // cache.Get(key), cache.Add(key, v)
			key = f.entry.via.Args[0]
		}
	}
	if key == nil {
		return false
	}
	c := computing{search: f.search, from: map[types.Object]bool{}, seen: map[ast.Expr]bool{}}
	c.keys(key, 0)
	return len(c.from) > 0 && c.fixed(v, 0)
}

// givenWith says whether the value is an argument of a call of which the first one is the key, the same variable.
func (f *finding) givenWith(v, key ast.Expr) bool {
	id := identOf(key)
	if id == nil {
		return false
	}
	found := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 1 && slices.Contains(call.Args, v) {
			first := identOf(call.Args[0])
			found = first != nil && f.pkg.Info.ObjectOf(first) == f.pkg.Info.ObjectOf(id)
		}
		return !found
	})
	return found
}

// computing is the search for what a value depends on besides the objects in from.
type computing struct {
	*search
	from map[types.Object]bool
	seen map[ast.Expr]bool
}

// keys adds the variables that the key is made of, looking through locals.
func (c *computing) keys(key ast.Expr, depth int) {
	ast.Inspect(key, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.pkg.Info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || accesses.IsGlobal(v) || c.from[v] {
			return true
		}
		c.from[v] = true
		for _, d := range c.values.assigns[v] {
			if depth < 3 {
				c.keys(d.value, depth+1)
			}
		}
		return true
	})
}

// fixed says whether the value depends on nothing else.
func (c *computing) fixed(v ast.Expr, depth int) bool {
	if v == nil || c.seen[v] {
		return true
	}
	c.seen[v] = true
	if tv, ok := c.pkg.Info.Types[v]; ok && (tv.Value != nil || tv.IsNil() || tv.IsType()) {
		return true
	}
	if depth > 10 {
		return false
	}
	switch e := v.(type) {
	case *ast.ParenExpr:
		return c.fixed(e.X, depth)
	case *ast.Ident:
		return c.fixedLocal(e, depth)
	case *ast.SelectorExpr:
		if c.pkg.Info.Selections[e] == nil { // of another package
			return accesses.IsGlobal(c.pkg.Info.ObjectOf(e.Sel))
		}
		if field, ok := c.pkg.Info.ObjectOf(e.Sel).(*types.Var); ok && c.shared.Use(access.Var{Obj: field.Origin()}).Written() {
			return c.fromKey(e.X)
		}
		return c.fixed(e.X, depth+1)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && c.fixed(e.X, depth+1)
	case *ast.StarExpr:
		return c.fixed(e.X, depth+1)
	case *ast.BinaryExpr:
		return c.fixed(e.X, depth+1) && c.fixed(e.Y, depth+1)
	case *ast.IndexExpr:
		return c.fixed(e.X, depth+1) && c.fixed(e.Index, depth+1)
	case *ast.SliceExpr:
		return c.fixed(e.X, depth+1) && (e.Low == nil || c.fixed(e.Low, depth+1)) && (e.High == nil || c.fixed(e.High, depth+1))
	case *ast.TypeAssertExpr:
		return c.fixed(e.X, depth+1)
	case *ast.KeyValueExpr:
		return c.fixed(e.Value, depth+1)
	case *ast.CompositeLit:
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if !c.fixed(el, depth+1) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		return c.fixedCall(e, depth)
	}
	return false
}

// fromKey says whether e is one of the variables that the key is made of.
func (c *computing) fromKey(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && c.from[c.pkg.Info.ObjectOf(id)]
}

func (c *computing) fixedLocal(id *ast.Ident, depth int) bool {
	obj := c.pkg.Info.ObjectOf(id)
	v, ok := obj.(*types.Var)
	switch {
	case !ok, c.from[obj]: // a function, or the key
		return true
	case accesses.IsGlobal(v):
		return !c.shared.Use(access.Var{Obj: v}).Written() && !c.shared.Use(access.Var{Obj: v, Contents: true}).Written()
	}
	list := c.values.assigns[obj]
	if len(list) == 0 {
		return c.body.Func != nil && types.Object(c.body.Func.Signature().Recv()) == obj // fields are looked at where they are named
	}
	for _, d := range append(c.lasting(list, id), c.values.filled[obj]...) {
		if !c.fixed(d.value, depth+1) {
			return false
		}
	}
	return c.fedFixed(obj, depth)
}

// lasting are the assignments to the local that are not surely overwritten by another one before id:
//
//	m, ok := cache[t]
//	if !ok { m = make(map[string]int); …; cache[t] = m }
func (c *computing) lasting(list []assignment, id *ast.Ident) []assignment {
	at := c.pkg.Order(id.Pos())
	var kept []assignment
	for _, d := range list {
		if !slices.ContainsFunc(list, func(by assignment) bool {
			return by.plain && !by.onto && d.at < by.at && by.at <= at && by.from <= at && at <= by.to
		}) {
			kept = append(kept, d)
		}
	}
	return kept
}

// fedFixed says whether methods of a local are called with fixed operands alone, as
// b.WriteString(s) is: they may change it.
func (c *computing) fedFixed(obj types.Object, depth int) bool {
	ok := true
	ast.Inspect(c.body.Block, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || !ok {
			return ok
		}
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !isSel {
			return true
		}
		if id, isID := ast.Unparen(sel.X).(*ast.Ident); isID && c.pkg.Info.ObjectOf(id) == obj {
			for _, a := range call.Args {
				ok = ok && c.fixed(a, depth+1)
			}
		}
		return ok
	})
	return ok
}

// fixedCall says whether the result of the call depends on nothing but fixed operands.
func (c *computing) fixedCall(call *ast.CallExpr, depth int) bool {
	for _, a := range call.Args {
		if !c.fixed(a, depth+1) {
			return false
		}
	}
	if tv, ok := c.pkg.Info.Types[call.Fun]; ok && tv.IsType() {
		return true
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, ok := c.pkg.Info.Uses[id].(*types.Builtin); ok {
			return true
		}
	}
	fn := c.locks.Callee(call)
	if fn == nil {
		return false
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil && !c.fixed(sel.X, depth+1) {
		return false
	}
	return c.computes(fn, false)
}

// calculating are the packages whose functions give equal results for equal operands,
// aside from the clock.
var calculating = []string{"reflect", "strings", "strconv", "bytes", "fmt", "errors", "sort", "slices", "maps", "regexp", "math", "math/bits", "math/big", "unicode", "unicode/utf8", "path", "path/filepath", "log", "net/url", "cmp", "unsafe", "hash/fnv", "text/template", "html/template"}

// asking are the names of functions that compute, wherever they are declared.
var asking = pattern.New(`^(Must)?(Parse|Compile|Format|Has|Is|To|From|As)([A-Z]|$)|[a-z]As[A-Z]|^(String|Error|Name|Type|Kind|Len|Size|Hash|Sum)$`)

// computes says whether fn does nothing but compute: it waits for nobody, starts
// nothing, and changes nothing but what it has made or, where mine says so, what it was
// given. A sync.Map or a lock-guarded map of the package that it looks into is another
// cache. Each function is looked at once; one that calls itself is what the rest of it is.
func (c *computing) computes(fn *types.Func, mine bool) bool {
	if !mine {
		return c.onlyComputes(fn, false)
	}
	if known, ok := c.computers[fn]; ok {
		return known
	}
	if c.computers == nil {
		c.computers = map[*types.Func]bool{}
	}
	c.computers[fn] = true
	c.computers[fn] = c.onlyComputes(fn, true)
	return c.computers[fn]
}

func (c *computing) onlyComputes(fn *types.Func, mine bool) bool {
	if fn.Pkg() == nil {
		return true // error.Error
	}
	b := c.pkg.ByFunc[fn]
	if b == nil {
		path := fn.Pkg().Path()
		for _, p := range calculating {
			if path == p {
				return true
			}
		}
		return asking.MatchString(fn.Name()) || strings.HasPrefix(path, "go/") || strings.HasPrefix(path, "encoding/") || strings.HasPrefix(path, "crypto/sha") ||
			path == "time" && fn.Name() != "Now" && fn.Name() != "Since" && fn.Name() != "Until" || path == "sync"
	}
	if drawing.MatchString(fn.Name()) {
		return false
	}
	sig := fn.Signature()
	given := func(root types.Object) bool {
		if root == types.Object(sig.Recv()) {
			return root != nil
		}
		for v := range sig.Params().Variables() {
			if types.Object(v) == root {
				return true
			}
		}
		return false
	}
	for _, o := range c.stateOf(b).order {
		if o.via != nil || o.Kind == access.SyncMap {
			continue
		}
		root := rootOf(c.pkg.Info, o.Cell)
		foreign := root == nil || accesses.IsGlobal(root) || given(root) && !mine
		if o.Mode == atomicity.Write && foreign || o.Kind == access.Atomic ||
			o.Mode == atomicity.Read && root != nil && accesses.IsGlobal(root) && o.Var.Obj != nil && c.shared.Use(o.Var).Written() && len(o.held) == 0 {
			return false
		}
	}
	for _, events := range b.Events {
		for _, ev := range events {
			switch ev.Kind {
			case accesses.OnGo, accesses.OnSend, accesses.OnReceive:
				return false
			case accesses.OnCall:
				call := ev.Node.(*ast.CallExpr)
				if tv, ok := c.pkg.Info.Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
					continue
				}
				to := c.locks.Callee(call)
				if to == nil || !c.computes(to, true) {
					return false
				}
			}
		}
	}
	return true
}

// rootOf is the variable through which e reaches what it denotes, or nil.
func rootOf(info *types.Info, e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return info.ObjectOf(x)
		case *ast.SelectorExpr:
			if info.Selections[x] == nil {
				return info.ObjectOf(x.Sel)
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}
