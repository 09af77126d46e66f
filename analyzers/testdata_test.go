package analyzers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestDataNames shows that the packages of the analyzers' tests declare each name once: analysistest
// goes on where a type is declared twice, and what is expected of it fails, or passes, for a reason
// that is none.
func TestDataNames(t *testing.T) {
	files, err := filepath.Glob("*/testdata/src/*/*.go")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	fset := token.NewFileSet()
	declared := map[[2]string]token.Pos{}
	for _, name := range files {
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		declare := func(id *ast.Ident) {
			key := [2]string{filepath.Dir(name), id.Name}
			if first, ok := declared[key]; ok && id.Name != "_" && id.Name != "init" {
				t.Errorf("%s: %s is declared at %s already", fset.Position(id.Pos()), id.Name, fset.Position(first))
			}
			declared[key] = id.Pos()
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					declare(d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						declare(s.Name)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							declare(id)
						}
					}
				}
			}
		}
	}
}
