package variant

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
)

// A Variant is one transformation.
type Variant struct {
	Name  string
	apply func(*program)
}

// A Result is the text of a transformed file.
type Result struct {
	Source []byte
	// From maps functions to those of the original that they were made from:
	// "f", or "T.m" for methods of T.
	From map[string]string
}

// All returns the transformations in the order of their files. The caller owns the slice.
func All() []Variant {
	var all []Variant
	for _, list := range [][]Variant{locks, sections, branches, conditions, fields, accessors, owners, held, hidden, wrapped, values, atomics, names, goroutines, between, extracted, programs} {
		all = append(all, list...)
	}
	return all
}

// Apply transforms file, the only one of pkg. It returns nil when the transformation
// fits nowhere. The file itself stays as it is.
func (v Variant) Apply(fset *token.FileSet, file *ast.File, info *types.Info, pkg *types.Package) (*Result, error) {
	dec := decorator.NewDecorator(fset)
	f, err := dec.DecorateFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", v.Name, pkg.Path(), err)
	}
	p := &program{file: f, origin: dec.Map.Ast.Nodes, info: info, pkg: pkg, used: map[string]bool{}, from: map[string]string{}}
	dst.Inspect(f, func(n dst.Node) bool {
		if id, ok := n.(*dst.Ident); ok {
			p.used[id.Name] = true
		}
		return true
	})
	v.apply(p)
	if !p.changed {
		return nil, nil
	}
	at := len(f.Decls)
	if first := slices.IndexFunc(f.Decls, func(d dst.Decl) bool { _, ok := d.(*dst.FuncDecl); return ok }); p.above && first >= 0 {
		at = first
	}
	f.Decls = slices.Insert(f.Decls, at, p.added...)
	var out bytes.Buffer
	if err := decorator.Fprint(&out, f); err != nil {
		return nil, fmt.Errorf("%s of %s: %w", v.Name, pkg.Path(), err)
	}
	return &Result{Source: out.Bytes(), From: p.from}, nil
}
