package access

import (
	"fmt"
	"go/types"
	"strings"
)

// A Member is a variable that can belong to a set of variables (atomicity.Section.With):
// a package-level variable, or a field of a type or package-level variable of the
// package.
type Member struct {
	// Fields lead from the type or variable to the field: one, or more through
	// anonymous structs; none for a package-level variable.
	Fields []*types.Var
	// Named says that the fields are those of a type; else of a variable.
	Named bool

	path []step
}

// step is one of the fields of a struct.
type step struct {
	fields []*types.Var
	index  int
}

// FindMember finds the variable with that name. The error says why it cannot be in a
// set, as what follows its name.
func FindMember(pkg *types.Package, name string) (m Member, err error) {
	owner, rest, isField := strings.Cut(name, ".")
	obj := pkg.Scope().Lookup(owner)
	v, isVar := obj.(*types.Var)
	if !isField && isVar {
		return m, nil
	}
	if _, m.Named = obj.(*types.TypeName); !isField || !m.Named && !isVar {
		return m, fmt.Errorf("is no field of a type or variable of the package, and no package-level variable")
	}
	t := obj.Type()
	if isVar {
		if p, ok := v.Type().Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0 {
		return m, fmt.Errorf("is a field of a generic type, where its place is not known")
	}
	for part := range strings.SplitSeq(rest, ".") {
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return m, fmt.Errorf("is no field of a struct that has a name")
		}
		at := -1
		var fields []*types.Var
		for f := range s.Fields() {
			if f.Name() == part {
				at = len(fields)
			}
			fields = append(fields, f)
		}
		if at < 0 {
			return m, fmt.Errorf("is no field: there is none with the name %s", part)
		}
		m.Fields = append(m.Fields, fields[at])
		m.path = append(m.path, step{fields, at})
		t = fields[at].Type()
	}
	return m, nil
}

// Offset is where the field begins in the struct of the type or variable, in bytes.
func (m Member) Offset(sizes types.Sizes) (at int64) {
	for _, s := range m.path {
		at += sizes.Offsetsof(s.fields)[s.index]
	}
	return at
}
