package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// computedKey is one text for a key that is computed, as by strings.ToLower(x.Name), a + "/" + b
// or pair{a, b}, however it is named on the way; "" for any other key. It is the same in a
// function and in those that it calls.
func (s *search) computedKey(st *bodyState, key ast.Expr) string {
	c := canonical{search: s, st: st}
	if text, ok := c.text(key, 0); ok && c.computed {
		return text
	}
	return ""
}

// computedThrough is computedKey for the key that the function called uses, itself or in one
// that it calls.
func (s *search) computedThrough(st *bodyState, call *ast.CallExpr, fn *types.Func, e effect) string {
	b := s.pkg.ByFunc[fn]
	if e.Key == nil || b == nil {
		return ""
	}
	c, ok := s.textsWithin(canonical{search: s, st: st}, call, fn)
	if inner := e.via; ok && inner != nil {
		fn = s.locks.Callee(inner)
		if b = s.pkg.ByFunc[fn]; b == nil || e.Key.Pos() < b.Block.Pos() || b.Block.End() < e.Key.End() {
			return ""
		}
		c, ok = s.textsWithin(c, inner, fn)
	}
	if !ok {
		return ""
	}
	if text, ok := c.text(e.Key, 0); ok && c.computed {
		return text
	}
	return ""
}

// textsWithin puts expressions of the function called into the text of those of the caller.
func (s *search) textsWithin(caller canonical, call *ast.CallExpr, fn *types.Func) (canonical, bool) {
	b := s.pkg.ByFunc[fn]
	if b == nil {
		return caller, false
	}
	given := map[types.Object]string{}
	for v := range fn.Signature().Params().Variables() {
		if arg := s.locks.Argument(call, fn, v); arg != nil {
			if text, ok := caller.text(arg, 0); ok {
				given[v] = text
			}
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		if text, ok := caller.text(sel.X, 0); ok {
			given[fn.Signature().Recv()] = text
		}
	}
	return canonical{search: s, st: s.stateOf(b), given: given, computed: caller.computed}, true
}

// canonical puts expressions into one text.
type canonical struct {
	*search
	st       *bodyState
	given    map[types.Object]string // what stands for parameters
	computed bool                    // something is computed in it
}

func (c *canonical) text(e ast.Expr, depth int) (string, bool) {
	if depth > 6 {
		return "", false
	}
	info := c.pkg.Info
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return e.Value, true
	case *ast.Ident:
		return c.ident(e, depth)
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel == nil || sel.Kind() != types.FieldVal {
			return e.Sel.Name, sel == nil
		}
		if v, ok := info.Uses[e.Sel].(*types.Var); ok && c.changedLater(v) {
			return "", false // perhaps another one by now
		}
		x, ok := c.text(e.X, depth+1)
		return x + "." + e.Sel.Name, ok
	case *ast.BinaryExpr:
		c.computed = true
		x, ok := c.text(e.X, depth+1)
		y, also := c.text(e.Y, depth+1)
		return x + e.Op.String() + y, ok && also && e.Op == token.ADD
	case *ast.CompositeLit:
		if _, isStruct := c.st.values.underlying(e).(*types.Struct); !isStruct {
			return "", false
		}
		c.computed = true
		return c.list(types.TypeString(info.TypeOf(e), nil)+"{", e.Elts, depth)
	case *ast.SliceExpr:
		x, ok := c.text(e.X, depth+1)
		return x + "[:]", ok && e.Low == nil && e.High == nil
	case *ast.KeyValueExpr:
		v, ok := c.text(e.Value, depth+1)
		return types.ExprString(e.Key) + ":" + v, ok
	case *ast.CallExpr:
		if info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return c.text(e.Args[0], depth+1)
		}
		fn, _ := typeutil.Callee(info, e).(*types.Func)
		if fn == nil || fn.Pkg() == nil {
			return "", false
		}
		c.computed = true
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
			if _, part := partOf(e); part == "" {
				return "", false
			}
			x, ok := c.text(sel.X, depth+1)
			return x + "." + fn.Name() + "()", ok
		}
		if !makesKeys(fn) && !c.onlyComputes(fn) {
			return "", false
		}
		return c.list(fn.FullName()+"(", e.Args, depth)
	}
	return "", false
}

func (c *canonical) list(text string, of []ast.Expr, depth int) (string, bool) {
	for _, e := range of {
		part, ok := c.text(e, depth+1)
		if !ok {
			return "", false
		}
		text += part + ","
	}
	return text, true
}

// ident is the text for a name: that of what a local was given, if it is computed, or the name
// itself of what never changes.
func (c *canonical) ident(id *ast.Ident, depth int) (string, bool) {
	obj := c.pkg.Info.ObjectOf(id)
	if text, ok := c.given[obj]; ok && len(c.st.values.assigns[obj]) == 0 {
		return text, true
	}
	v, ok := obj.(*types.Var)
	if !ok || accesses.IsGlobal(v) {
		return id.Name, obj != nil && (!ok || !c.changedLater(v))
	}
	list := c.st.values.assigns[obj]
	if len(list) > 1 || c.given != nil && len(list) == 0 {
		return "", false
	}
	if len(list) == 1 {
		switch value := ast.Unparen(list[0].value).(type) {
		case *ast.CallExpr, *ast.BinaryExpr, *ast.CompositeLit:
			if t := c.pkg.Info.TypeOf(value); t != nil && types.Identical(t, v.Type()) {
				before := c.computed
				if text, ok := c.text(value, depth+1); ok {
					return text, true
				}
				c.computed = before
			}
		}
		if c.given != nil {
			return "", false
		}
	}
	return fmt.Sprint(id.Name, "@", obj.Pos()), true // others have its name
}

// makesKeys says whether the function is of a package whose functions give the same each time.
func makesKeys(fn *types.Func) bool {
	path := fn.Pkg().Path()
	return keyMakers[path] || strings.HasPrefix(path, "encoding/") || strings.HasPrefix(fn.FullName(), "fmt.Sprint")
}

var keyMakers = map[string]bool{
	"strings": true, "strconv": true, "path": true, "path/filepath": true, "net/url": true, "bytes": true,
	"crypto/md5": true, "crypto/sha1": true, "crypto/sha256": true, "crypto/sha512": true,
}

// onlyComputes says whether the function of this package does nothing but compute what it
// returns of its parameters.
func (s *search) onlyComputes(fn *types.Func) bool {
	return s.pkg.ByFunc[fn.Origin()] != nil && s.computesOnly(fn)
}

// computesOnly says whether the function, which is no method, does nothing but compute.
func (s *search) computesOnly(fn *types.Func) bool {
	if fn.Signature().Recv() != nil {
		return false
	}
	c := computing{search: s}
	return c.computes(fn.Origin(), false)
}

// madeFrom are the texts of what the function that has made the object which w puts into a map
// was given: where a part of it is the key, that is known by one of them.
//
//	c, err := dial(addr)
//	m[c.Target()] = c
func (s *search) madeFrom(st *bodyState, w *access.Access) []string {
	values := stored(w)
	if w.Mode != atomicity.Write || w.Kind != access.MapElement || w.Method != "" || w.Key == nil || len(values) != 1 {
		return nil
	}
	key := ast.Unparen(w.Key)
	if call, ok := key.(*ast.CallExpr); ok && len(call.Args) == 0 {
		key = ast.Unparen(call.Fun)
	}
	sel, ok := key.(*ast.SelectorExpr)
	local := identOf(values[0])
	if !ok || local == nil || !s.isObject(sel.X, s.pkg.Info.ObjectOf(local)) {
		return nil
	}
	list := st.values.assigns[s.pkg.Info.ObjectOf(local)]
	if len(list) != 1 {
		return nil
	}
	made, ok := ast.Unparen(list[0].value).(*ast.CallExpr)
	if !ok {
		return nil
	}
	var from []string
	for _, arg := range made.Args {
		id := identOf(arg)
		if id == nil || !types.Identical(s.pkg.Info.TypeOf(arg), s.pkg.Info.TypeOf(w.Key)) {
			continue
		}
		if text := st.values.keyText(id); !slices.Contains(from, text) {
			from = append(from, text)
		}
	}
	return from
}
