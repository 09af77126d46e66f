package locks

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// Mode says what a hold excludes.
type Mode uint8

const (
	Possible  Mode = 0 // held on some paths or by some callers only: protects nothing
	Shared    Mode = 1 // RLock: other readers come in
	Exclusive Mode = 2 // Lock
)

// Set maps the locks that are held to how they are held. A Set that was handed
// out is never changed.
type Set map[accesses.Place]Mode

// Holds says whether the lock is held on all paths.
func (s Set) Holds(l accesses.Place) bool { return s[l] > Possible }

// Places lists the locks in the order of their names.
func (s Set) Places() []accesses.Place {
	return slices.SortedFunc(maps.Keys(s), func(a, b accesses.Place) int { return cmp.Compare(a.String(), b.String()) })
}

// Any says whether some lock is held on all paths.
func (s Set) Any() bool {
	for _, m := range s {
		if m > Possible {
			return true
		}
	}
	return false
}

// Excludes says whether some lock is held on all paths so that nobody else can hold it.
func (s Set) Excludes() bool {
	for _, m := range s {
		if m == Exclusive {
			return true
		}
	}
	return false
}

// Caller is the lock that an unknown caller holds.
var Caller = accesses.Place{Path: "the caller's lock"}

// Once stands for what runs at most once at a time: sync.Once, singleflight.
var Once = accesses.Place{Path: "sync.Once"}

// OpKind says what an event does to a lock.
type OpKind uint8

const (
	Acquire OpKind = iota
	Release
	Drop // released and retaken within a call
)

// Op is the effect of an event on one lock.
type Op struct {
	Kind OpKind
	Lock accesses.Place
	Mode Mode
	Try  bool
}

// direct is the lock operation that call itself is, if it is one.
func (r *Result) direct(call *ast.CallExpr) (Op, bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) > 1 {
		return Op{}, false
	}
	if _, named := lockMethods[sel.Sel.Name]; len(call.Args) == 1 && !named {
		return Op{}, false
	}
	var op Op
	switch sel.Sel.Name {
	case "Lock":
		op = Op{Kind: Acquire, Mode: Exclusive}
	case "TryLock":
		op = Op{Kind: Acquire, Mode: Exclusive, Try: true}
	case "RLock":
		op = Op{Kind: Acquire, Mode: Shared}
	case "TryRLock":
		op = Op{Kind: Acquire, Mode: Shared, Try: true}
	case "Unlock":
		op = Op{Kind: Release, Mode: Exclusive}
	case "RUnlock":
		op = Op{Kind: Release, Mode: Shared}
	case "lock":
		op = Op{Kind: Acquire, Mode: Exclusive}
	case "rlock":
		op = Op{Kind: Acquire, Mode: Shared}
	case "unlock":
		op = Op{Kind: Release, Mode: Exclusive}
	case "runlock":
		op = Op{Kind: Release, Mode: Shared}
	default:
		return Op{}, false
	}
	selection := r.pkg.Info.Selections[sel]
	if selection == nil || selection.Kind() != types.MethodVal {
		return Op{}, false
	}
	fn, _ := selection.Obj().(*types.Func)
	if fn == nil || !isLocker(fn) {
		return Op{}, false
	}
	if r.wraps(fn.Origin(), op.Kind) {
		return Op{}, false // a wrapper: its summary names the lock behind it
	}
	base := r.pkg.PlaceOf(sel.X)
	if !base.Valid() {
		base = accesses.Place{Path: types.ExprString(sel.X)}
	}
	op.Lock = accesses.Place{Root: base.Root, Path: base.Path + accesses.FieldPath(selection)}
	if len(call.Args) == 1 {
		// One of many, such as a lock for each name: l.Lock(name).
		op.Lock.Path += "[" + types.ExprString(call.Args[0]) + "]"
	}
	return op, true
}

// isLocker says whether the receiver of the method also has the opposite one.
func isLocker(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	has := func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg(), name)
		_, ok := obj.(*types.Func)
		return ok
	}
	return has("Lock") && has("Unlock") || has("lock") && has("unlock") || has("rlock") && has("runlock")
}

// ClassOf is the field or variable that declares the lock at the end of the
// place: all instances of s.mu are one class, and that of o.owner.mu is the same
// where owner points to what s points to, is such an object, or holds them: o.owners[i].mu.
// Those of a lock for each name are one class, too: two may be of one name. It is nil when unknown.
func ClassOf(pl accesses.Place) string {
	named, _, _ := strings.Cut(pl.Path, "[")
	if pl.Root == nil {
		return named
	}
	t, path := pl.Root.Type(), pl.Path
	for at, left := t, path; left != ""; {
		if left[0] == '[' {
			at, left = elementOf(at), afterIndex(left)
		} else {
			name := left[1:]
			if end := strings.IndexAny(name, ".["); end >= 0 {
				name = name[:end]
			}
			left = left[1+len(name):]
			if field := fieldOf(at, name); field != nil {
				at = field.Type()
			} else {
				at = nil
			}
		}
		if at == nil || left == "" {
			break
		}
		if left[0] != '.' {
			continue
		}
		if _, ok := at.Underlying().(*types.Pointer); ok {
			t, path = at, left
		} else if _, ok := at.Underlying().(*types.Struct); ok && accesses.TypeName(at) != nil {
			t, path = types.NewPointer(at), left
		}
	}
	path, _, _ = strings.Cut(path, "[")
	return types.TypeString(t, nil) + path
}

// afterIndex is what follows the index with which the path begins.
func afterIndex(path string) string {
	depth := 0
	for i, c := range path {
		switch c {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return path[i+1:]
			}
		}
	}
	return ""
}

// elementOf is the type of what the slice, array or map holds, or nil.
func elementOf(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}

// OneField says whether one and the same field declares both locks, whatever the structs
// that embed it: that of s.mu and of o.owner.mu, and those of two objects that embed what
// has the lock.
func OneField(a, b accesses.Place) bool {
	field, other := a.Field(), b.Field()
	return field != nil && other != nil && field.Origin() == other.Origin()
}

// fieldOf is the field of a struct, or of one that a pointer leads to; or nil.
func fieldOf(t types.Type, name string) *types.Var {
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
