package variant

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"github.com/dave/dst"
)

// names change names, comments and the order of declarations.
var names = []Variant{
	{"names-neutral", namesNeutral},
	{"comments-removed", commentsRemoved},
	{"order-reversed", orderReversed},
	{"fields-reversed", fieldsReversed},
}

// namesNeutral renames all that is not exported, except what a name means something by.
func namesNeutral(p *program) {
	to := map[types.Object]string{}
	methods := map[string]bool{} // of interfaces
	dst.Inspect(p.file, func(n dst.Node) bool {
		if i, ok := n.(*dst.InterfaceType); ok {
			for _, f := range i.Methods.List {
				for _, id := range f.Names {
					methods[id.Name] = true
				}
			}
		}
		return true
	})
	n := 0
	dst.Inspect(p.file, func(node dst.Node) bool {
		id, ok := node.(*dst.Ident)
		if !ok || ast.IsExported(id.Name) || id.Name == "_" || id.Name == "main" || id.Name == "init" {
			return true
		}
		obj := p.object(id)
		if obj == nil || obj.Pkg() != p.pkg || to[obj] != "" || methods[id.Name] {
			return true
		}
		switch o := obj.(type) {
		case *types.Var:
			if o.Embedded() {
				return true
			}
		case *types.Func:
		default:
			return true
		}
		n++
		to[obj] = "n" + strconv.Itoa(n)
		return true
	})
	for _, fn := range p.functions() {
		was := key(fn)
		if name := to[p.object(fn.Name)]; name != "" {
			old := fn.Name.Name
			fn.Name.Name = name
			p.from[key(fn)] = was
			fn.Name.Name = old
		}
	}
	dst.Inspect(p.file, func(node dst.Node) bool {
		if id, ok := node.(*dst.Ident); ok {
			if name := to[p.object(id)]; name != "" {
				id.Name, p.changed = name, true
			}
		}
		return true
	})
}

// commentsRemoved removes all comments.
func commentsRemoved(p *program) {
	dst.Inspect(p.file, func(n dst.Node) bool {
		if n == nil {
			return false
		}
		d := n.Decorations()
		for _, list := range []*dst.Decorations{&d.Start, &d.End} {
			for _, text := range *list {
				if text != "\n" {
					p.changed = true
				}
			}
			*list = nil
		}
		return true
	})
}

// orderReversed declares the functions of the file in the opposite order.
func orderReversed(p *program) {
	var at []int
	for i, d := range p.file.Decls {
		if _, ok := d.(*dst.FuncDecl); ok {
			at = append(at, i)
		}
	}
	for i, j := 0, len(at)-1; i < j; i, j = i+1, j-1 {
		p.file.Decls[at[i]], p.file.Decls[at[j]] = p.file.Decls[at[j]], p.file.Decls[at[i]]
		p.changed = true
	}
}

// fieldsReversed declares the fields of structs in the opposite order.
func fieldsReversed(p *program) {
	for _, s := range p.structs() {
		if !s.unkeyed && len(s.syntax.Fields.List) > 1 {
			slices.Reverse(s.syntax.Fields.List)
			p.changed = true
		}
	}
}
