package variant

import (
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// structType is a struct type that the package declares.
type structType struct {
	spec     *dst.TypeSpec
	syntax   *dst.StructType
	named    *types.Named
	literals []*dst.CompositeLit
	byValue  bool // it is made other than by a literal, or a part of something
	unkeyed  bool
}

// structs are the struct types of the package that have no type parameters.
func (p *program) structs() []*structType {
	var list []*structType
	byName := map[*types.TypeName]*structType{}
	for _, d := range p.file.Decls {
		d, ok := d.(*dst.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range d.Specs {
			spec, ok := spec.(*dst.TypeSpec)
			if !ok || spec.TypeParams != nil || spec.Assign {
				continue
			}
			syntax, ok := spec.Type.(*dst.StructType)
			obj, _ := p.object(spec.Name).(*types.TypeName)
			if !ok || obj == nil {
				continue
			}
			named, ok := obj.Type().(*types.Named)
			if !ok {
				continue
			}
			s := &structType{spec: spec, syntax: syntax, named: named}
			list, byName[obj] = append(list, s), s
		}
	}
	dstutil.Apply(p.file, func(c *dstutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *dst.CompositeLit:
			if s := byName[typeObject(p.typeOf(n))]; s != nil {
				s.literals = append(s.literals, n)
				if len(n.Elts) > 0 {
					_, keyed := n.Elts[0].(*dst.KeyValueExpr)
					s.unkeyed = s.unkeyed || !keyed
				}
			}
		case *dst.Ident:
			obj, _ := p.object(n).(*types.TypeName)
			s := byName[obj]
			if s == nil {
				return true
			}
			switch parent := c.Parent().(type) {
			case *dst.StarExpr:
			case *dst.CompositeLit:
			case *dst.TypeSpec:
				s.byValue = s.byValue || parent.Name != n
			default:
				s.byValue = true
			}
		}
		return true
	}, nil)
	return list
}

// typeObject is the name of t, or of what it points to.
func typeObject(t types.Type) *types.TypeName {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

// made says that all values of s come from literals that name their fields.
func (s *structType) made() bool {
	return !s.byValue && !s.unkeyed && len(s.literals) > 0
}

// setsField says that a literal sets the field.
func (s *structType) setsField(name string) bool {
	if s.unkeyed {
		return true
	}
	for _, lit := range s.literals {
		for _, e := range lit.Elts {
			if kv, ok := e.(*dst.KeyValueExpr); ok {
				if id, ok := kv.Key.(*dst.Ident); ok && id.Name == name {
					return true
				}
			}
		}
	}
	return false
}
