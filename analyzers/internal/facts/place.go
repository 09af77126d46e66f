package facts

import (
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// A Place is an accesses.Place of a function without its objects.
type Place struct {
	// Root is 0 for a package-level variable, 1 for the receiver, and 2 for
	// the first parameter.
	Root int
	// Name is the name of the package-level variable.
	Name string
	// Path is the path of fields from the root.
	Path string
}

// PlaceOf gives the place of function fn a portable form, if it has one.
func PlaceOf(fn *types.Func, pl accesses.Place) (Place, bool) {
	if pl.Root == nil || strings.ContainsAny(pl.Path, "[?") {
		return Place{}, false
	}
	if accesses.IsGlobal(pl.Root) {
		return Place{Name: pl.Root.Name(), Path: pl.Path}, pl.Root.Pkg() == fn.Pkg()
	}
	if i := IndexOf(fn, pl.Root); i > 0 {
		return Place{Root: i, Path: pl.Path}, true
	}
	return Place{}, false
}

// IndexOf is 1 for the receiver of fn, 2 for its first parameter, and so on; 0
// for anything else.
func IndexOf(fn *types.Func, obj types.Object) int {
	sig := fn.Signature()
	if recv := sig.Recv(); recv != nil && types.Object(recv) == obj {
		return 1
	}
	for i := range sig.Params().Len() {
		if types.Object(sig.Params().At(i)) == obj {
			return 2 + i
		}
	}
	return 0
}

// At is the receiver or parameter of fn with the index, or nil.
func At(fn *types.Func, index int) *types.Var {
	sig := fn.Signature()
	switch {
	case index == 1:
		return sig.Recv()
	case index >= 2 && index-2 < sig.Params().Len():
		return sig.Params().At(index - 2)
	}
	return nil
}

// Write writes the place.
func (pl Place) Write(w *Writer) {
	w.Int(pl.Root)
	if pl.Root == 0 {
		w.String(pl.Name)
	}
	w.String(pl.Path)
}

// ReadPlace reads a place.
func ReadPlace(r *Reader) Place {
	pl := Place{Root: r.Int()}
	if pl.Root == 0 {
		pl.Name = r.String()
	}
	pl.Path = r.String()
	return pl
}

// Restore is the place in terms of fn, a function of another package; the zero
// Place if fn has changed.
func (g *Globals) Restore(fn *types.Func, pl Place) accesses.Place {
	if pl.Root == 0 {
		return accesses.Place{Root: g.variable(fn.Pkg(), pl.Name), Path: pl.Path}
	}
	if v := At(fn, pl.Root); v != nil {
		return accesses.Place{Root: v, Path: pl.Path}
	}
	return accesses.Place{}
}

// Variable is the field or package-level variable at the end of the place, which
// must be one that Restore or PlaceOf is about; nil if there is none.
func (g *Globals) Variable(pl accesses.Place) *types.Var {
	v, ok := pl.Root.(*types.Var)
	if !ok {
		return nil
	}
	if pl.Path == "" {
		if !accesses.IsGlobal(v) {
			return nil
		}
		return v.Origin()
	}
	if accesses.IsHidden(v) {
		return g.field(v, pl.Path)
	}
	for name := range strings.SplitSeq(pl.Path[1:], ".") {
		if v = fieldOf(v.Type(), name); v == nil {
			return nil
		}
	}
	return v.Origin()
}

// Holders are the types of the objects that the place lies in, from the root.
func Holders(pl accesses.Place) []types.Type {
	if pl.Root == nil {
		return nil
	}
	t := pl.Root.Type()
	list := []types.Type{t}
	for name := range strings.SplitSeq(strings.TrimPrefix(pl.Path, "."), ".") {
		f := fieldOf(t, name)
		if f == nil {
			break
		}
		t = f.Type()
		list = append(list, t)
	}
	return list
}

func fieldOf(t types.Type, name string) *types.Var {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// Globals finds the package-level variables of other packages. Those that are
// not exported are unknown to the importer: each gets a stand-in. The zero
// Globals is ready for use; it is not safe for concurrent use.
type Globals struct {
	hidden map[string]*types.Var
}

func (g *Globals) variable(pkg *types.Package, name string) *types.Var {
	if v, ok := pkg.Scope().Lookup(name).(*types.Var); ok {
		return v
	}
	key := pkg.Path() + "." + name
	if g.hidden[key] == nil {
		g.hide(key, accesses.Hidden(pkg, name))
	}
	return g.hidden[key]
}

func (g *Globals) field(root *types.Var, path string) *types.Var {
	key := root.Pkg().Path() + "." + root.Name() + path
	if g.hidden[key] == nil {
		name := path[strings.LastIndexByte(path, '.')+1:]
		g.hide(key, types.NewField(root.Pos(), root.Pkg(), name, root.Type(), false))
	}
	return g.hidden[key]
}

func (g *Globals) hide(key string, v *types.Var) {
	if g.hidden == nil {
		g.hidden = map[string]*types.Var{}
	}
	g.hidden[key] = v
}

// Apart says whether the places, of one field, lie in objects of different types, each of
// which has the memory in itself, so that they are never the same.
func Apart(a, b accesses.Place) bool {
	x, y := around(a), around(b)
	return x != nil && y != nil && !containsType(x, y, 0) && !containsType(y, x, 0)
}

// around is the struct type of the object whose memory the place is in: that of s in
// s.stats.n where stats is no pointer. Nil if it is not known.
func around(pl accesses.Place) types.Type {
	list := Holders(pl)
	for i := len(list) - 2; i >= 0; i-- {
		t := list[i]
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		} else if _, ok := t.Underlying().(*types.Struct); !ok {
			return nil
		} else if i > 0 {
			continue
		}
		if accesses.TypeName(t) == nil {
			return nil
		}
		return t
	}
	return nil
}

// containsType says whether a t has a part in itself that may be a part.
func containsType(t, part types.Type, depth int) bool {
	if types.Identical(t, part) || accesses.TypeName(t) != nil && accesses.TypeName(t) == accesses.TypeName(part) || depth > 10 {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if containsType(f.Type(), part, depth+1) {
				return true
			}
		}
	case *types.Array:
		return containsType(u.Elem(), part, depth+1)
	}
	_, open := t.(*types.TypeParam)
	return open
}
