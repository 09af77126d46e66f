package accesses

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity/access"
)

const literals = `package p

import "sync"

type store struct {
	mu sync.Mutex
	m  map[string]int
	n  int
}

func (s *store) get(k string) int {
	v, ok := func(key string) (int, bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.n == 0 {
			return 0, false
		}
		v, ok := s.m[key]
		return v, ok
	}(k)
	if !ok {
		func() {
			s.mu.Lock()
			defer func() { s.n++; s.mu.Unlock() }()
			s.m[k] = s.n
		}()
	}
	return v
}

func (s *store) start() {
	var run = s.loop
	go run()
	run2 := s.loop
	run3 := run2
	go func() { run3() }()
	end := func() { s.n-- }
	defer end()
	s.n++
}

func (s *store) loop() {
	func() {
		defer func() { _ = recover() }()
		s.n = 0
	}()
	again := s.loop
	again()
	go again()
}
`

// TestInPlace shows what becomes of the literals, that each access is still called what it
// is in the source, and that the source stays what it is.
func TestInPlace(t *testing.T) {
	fset, file, pkg, info := typed(t, literals)
	before := formatted(t, fset, file)
	files, known, copied := inPlace([]*ast.File{file}, info)
	if after := formatted(t, fset, file); after != before {
		t.Errorf("the source has changed:\n%s", after)
	}
	lits := map[string]int{}
	for _, d := range files[0].Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			ast.Inspect(fn, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					lits[fn.Name.Name]++
				}
				if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, "run") {
					t.Errorf("%s is left", id.Name)
				}
				return true
			})
		}
	}
	if lits["get"] != 0 || lits["start"] != 2 || lits["loop"] != 2 {
		t.Errorf("%v literals are left", lits)
	}
	source := access.Enumerate(fset, []*ast.File{file}, pkg, info)
	made := access.Enumerate(fset, files, pkg, known)
	copied.numberAs(made, source)
	for i, fn := range made.Functions {
		if len(fn.Accesses) == 0 {
			t.Errorf("no accesses in %s", fn.Name)
		}
		for _, a := range fn.Accesses {
			found := false
			for _, of := range source.Functions[i].Accesses {
				found = found || of.Var == a.Var && of.Mode == a.Mode && of.Ordinal == a.Ordinal && of.Code() == a.Code() && of.Pos() == a.Pos()
			}
			if !found {
				t.Errorf("%s: %s (%d) at %s is no access of the source", fn.Name, a.Code(), a.Ordinal, fset.Position(a.Pos()))
			}
		}
	}
}

func formatted(t *testing.T, fset *token.FileSet, file *ast.File) string {
	t.Helper()
	var out bytes.Buffer
	if err := format.Node(&out, fset, file); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// typed is the source of a package of one file, with its types.
func typed(t *testing.T, source string) (*token.FileSet, *ast.File, *types.Package, *types.Info) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return fset, file, pkg, info
}
