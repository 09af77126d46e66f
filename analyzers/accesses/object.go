package accesses

import (
	"go/types"
	"strings"
)

// Object is the place of the object that the place is a part of: what a pointer leads to,
// or a variable. A struct that lies in another one is a part of that, s of s.state.n,
// unless it has a lock of its own for what it holds.
func (pl Place) Object() Place {
	return pl.up().Whole()
}

// Whole is the object that the place is, or that is around it where it is no object of its
// own.
func (pl Place) Whole() Place {
	for pl.Path != "" {
		v := pl.Field()
		if v == nil || !isGroup(v.Type()) {
			break
		}
		pl = pl.up()
	}
	return pl
}

// up is the place without its last field.
func (pl Place) up() Place {
	pl.Path = pl.Path[:max(0, strings.LastIndexByte(pl.Path, '.'))]
	return pl
}

// In says whether the place lies in the object, or in one that can be reached from it.
func (pl Place) In(object Place) bool {
	rest, ok := strings.CutPrefix(pl.Path, object.Path)
	return ok && pl.Root != nil && pl.Root == object.Root && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Beside says whether the two are parts of one object.
func (pl Place) Beside(other Place) bool {
	return pl.Root != nil && pl.Root == other.Root && pl.Object() == other.Object()
}

// Type is the type of what stands at the place, or nil.
func (pl Place) Type() types.Type {
	if pl.Root != nil && pl.Path == "" {
		return pl.Root.Type()
	}
	if v := pl.Field(); v != nil {
		return v.Type()
	}
	return nil
}

// isGroup says whether the fields of the type are as well those of the struct around it: it
// is a struct, and does not have both a lock and something else.
func isGroup(t types.Type) bool {
	locks, others, ok := parts(t, 0)
	return ok && !(locks && others)
}

// parts says whether the struct type has locks, and whether it has anything else.
func parts(t types.Type, depth int) (locks, others, ok bool) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 5 {
		return false, false, false
	}
	for f := range st.Fields() {
		if IsLock(f.Type()) {
			locks = true
			continue
		}
		l, o, isStruct := parts(f.Type(), depth+1)
		if !isStruct || l && o {
			l, o = false, true // a value, or an object of its own
		}
		locks, others = locks || l, others || o
	}
	return locks, others, true
}

// Fields are the fields of an object of the type: those of a struct, and of the structs in it
// that are no objects of their own.
func Fields(t types.Type) (list []*types.Var) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		if !IsLock(f.Type()) && isGroup(f.Type()) {
			list = append(list, Fields(f.Type())...)
		} else {
			list = append(list, f)
		}
	}
	return list
}

// IsLock says whether the type is a lock, or leads to one.
func IsLock(t types.Type) bool {
	tn := TypeName(t)
	return tn != nil && (strings.HasSuffix(tn.Name(), "Mutex") || tn.Name() == "Locker" && tn.Pkg() != nil && tn.Pkg().Path() == "sync")
}
