package cli

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/curate"
)

// codeSeen is the code that infer has looked at.
type codeSeen struct {
	names atomicity.Code
	code  curate.Code
}

// codeNames tells Spec.Follow and curate.Mark what there is in the packages that
// were loaded, and which packages of the spec are gone.
func codeNames(ctx context.Context, spec *atomicity.Spec, pkgs []*packages.Package) (*codeSeen, error) {
	seen := &codeSeen{
		atomicity.Code{Packages: map[string]*atomicity.Names{}, Gone: map[string]bool{}},
		curate.Code{Packages: map[string][]*access.Package{}},
	}
	loaded := map[string]bool{}
	for _, p := range pkgs {
		loaded[p.PkgPath] = true
		if p.Types != nil && spec.Package(p.PkgPath) != nil {
			seen.add(p)
		}
	}
	others := atomicity.New()
	for _, p := range spec.Packages {
		if !loaded[p.Path] {
			others.Packages = append(others.Packages, p)
		}
	}
	found, err := findPackages(ctx, others, spec.File())
	if err != nil {
		return nil, err
	}
	for _, p := range others.Packages {
		if !found.has(p.Path) {
			seen.names.Gone[p.Path] = true
		}
	}
	// The names of a package that moved are those of the place it moved to.
	for _, p := range pkgs {
		if len(seen.names.Gone) > 0 && p.Types != nil && seen.names.Packages[p.PkgPath] == nil {
			seen.add(p)
		}
	}
	return seen, nil
}

func (c *codeSeen) add(p *packages.Package) {
	accesses := access.Enumerate(p.Fset, p.Syntax, p.Types, p.TypesInfo)
	c.names.Packages[p.PkgPath] = namesOf(p, accesses)
	c.code.Packages[p.PkgPath] = []*access.Package{accesses}
}

func namesOf(p *packages.Package, accesses *access.Package) *atomicity.Names {
	n := &atomicity.Names{
		Functions: map[string]bool{}, Variables: map[string]bool{}, Types: map[string]bool{}, Others: map[string]bool{},
	}
	for _, f := range accesses.Functions {
		n.Functions[f.Name] = true
		for _, a := range f.Accesses {
			n.Variables[accesses.Name(a.Var)] = true
		}
	}
	for _, name := range p.Types.Scope().Names() {
		if _, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok {
			n.Types[name] = true
		}
	}
	n.Accesses = func(function, variable string) []atomicity.Location {
		var list []atomicity.Location
		for _, a := range accesses.In(function, variable) {
			list = append(list, accesses.Location(a))
		}
		return list
	}
	addOthers(n.Others, p)
	return n
}

// addOthers adds what is declared in the Go files of the package's directory
// that were not loaded: tests, and files for other systems. A file that cannot
// be parsed gives what was understood of it.
func addOthers(names map[string]bool, p *packages.Package) {
	if len(p.GoFiles) == 0 {
		return
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(p.GoFiles[0]), "*.go"))
	for _, file := range files {
		if slices.Contains(p.GoFiles, file) || strings.HasPrefix(filepath.Base(file), ".") {
			continue
		}
		tree, _ := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if tree == nil {
			continue
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names[n.Name.Name] = true
			case *ast.TypeSpec:
				names[n.Name.Name] = true
			case *ast.Field:
				for _, id := range n.Names {
					names[id.Name] = true
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					names[id.Name] = true
				}
			}
			return true
		})
	}
}
