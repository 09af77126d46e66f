package analyzers_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// library is the subjects' files, and what they import. They are type-checked here: to tell their
// types, the go command would compile each of several hundred packages.
type library struct {
	fset    *token.FileSet
	files   map[string]*ast.File // by set and folder
	imports map[string]*packages.Package
	sizes   types.Sizes
}

func loadLibrary(t *testing.T) *library {
	t.Helper()
	l := &library{fset: token.NewFileSet(), files: map[string]*ast.File{}, imports: map[string]*packages.Package{}}
	names, err := filepath.Glob(filepath.Join(subjects, "*", "*", "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no subjects: %v", err)
	}
	paths := map[string]bool{"sync": true, "sync/atomic": true, "log": true, "os": true, "context": true} // variants may import these
	for _, name := range names {
		if name, err = filepath.Abs(name); err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(name)
		id := filepath.Base(filepath.Dir(dir)) + "/" + filepath.Base(dir)
		if l.files[id] != nil {
			t.Fatalf("%s: not a package of one file", id)
		}
		l.files[id] = file
		for _, s := range file.Imports {
			paths[strings.Trim(s.Path.Value, `"`)] = true
		}
	}
	var list []string
	for path := range paths {
		list = append(list, path)
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadTypes, Fset: l.fset}, list...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors[0])
		}
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		l.imports[p.PkgPath] = p
		l.sizes = cmp.Or(l.sizes, p.TypesSizes)
	})
	return l
}

// typed is the package of a subject with the file in the place of its own, and the first of the
// type errors in it. It may be called by several goroutines.
func (l *library) typed(id string, file *ast.File) (*packages.Package, error) {
	path := "github.com/atomrace/atomrace/testdata/subjects/" + id
	name := l.file(id)
	pkg := &packages.Package{
		ID: path, PkgPath: path, Name: file.Name.Name, Fset: l.fset,
		GoFiles: []string{name}, CompiledGoFiles: []string{name}, Syntax: []*ast.File{file},
		TypesSizes: l.sizes, Imports: map[string]*packages.Package{},
		TypesInfo: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
			Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
		},
	}
	for _, s := range file.Imports {
		path := strings.Trim(s.Path.Value, `"`)
		pkg.Imports[path] = l.imports[path]
	}
	var first error
	cfg := &types.Config{Importer: l, Sizes: l.sizes, GoVersion: "go1.26", Error: func(err error) {
		first = cmp.Or(first, err)
		if e, ok := err.(types.Error); ok {
			pkg.TypeErrors = append(pkg.TypeErrors, e)
		}
	}}
	pkg.Types, _ = cfg.Check(path, l.fset, pkg.Syntax, pkg.TypesInfo) // first has what it returns
	pkg.IllTyped = first != nil
	return pkg, first
}

// file is the name of the one file of a subject.
func (l *library) file(id string) string { return l.fset.Position(l.files[id].Package).Filename }

// Import is that of types.Importer.
func (l *library) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := l.imports[path]; p != nil && p.Types != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("%s is not loaded", path)
}
