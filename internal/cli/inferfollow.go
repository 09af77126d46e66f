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
)

// codeNames tells Spec.Follow which names there are in the packages that were
// loaded, and which packages of the spec are gone.
func codeNames(ctx context.Context, spec *atomicity.Spec, pkgs []*packages.Package) (atomicity.Code, error) {
	code := atomicity.Code{Packages: map[string]*atomicity.Names{}, Gone: map[string]bool{}}
	for _, p := range pkgs {
		if p.Types != nil && spec.Package(p.PkgPath) != nil {
			code.Packages[p.PkgPath] = namesOf(p)
		}
	}
	loaded := map[string]bool{}
	for _, p := range pkgs {
		loaded[p.PkgPath] = true
	}
	var others []string
	for _, p := range spec.Packages {
		if !loaded[p.Path] {
			others = append(others, p.Path)
		}
	}
	there, err := existing(ctx, others)
	if err != nil {
		return code, err
	}
	for _, path := range others {
		if !slices.Contains(there, path) {
			code.Gone[path] = true
		}
	}
	// The names of a package that moved are those of the place it moved to.
	for _, p := range pkgs {
		if len(code.Gone) > 0 && p.Types != nil && code.Packages[p.PkgPath] == nil {
			code.Packages[p.PkgPath] = namesOf(p)
		}
	}
	return code, nil
}

func namesOf(p *packages.Package) *atomicity.Names {
	n := &atomicity.Names{
		Functions: map[string]bool{}, Variables: map[string]bool{}, Types: map[string]bool{}, Others: map[string]bool{},
	}
	accesses := access.Enumerate(p.Fset, p.Syntax, p.Types, p.TypesInfo)
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
