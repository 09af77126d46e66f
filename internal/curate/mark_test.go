package curate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// source is a package p for what part writes: F has the code of a, and b.
func source(t *testing.T, text string) Code {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, Implicits: map[ast.Node]types.Object{},
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return Code{Packages: map[string][]*access.Package{"p": {access.Enumerate(fset, []*ast.File{f}, pkg, info)}}}
}

func TestMark(t *testing.T) {
	code := source(t, "package p\n\nvar x int\n\nfunc F() { x++; go F() }\n")
	text := file(strings.NewReplacer("a++", "x++", "b++", "x--", "ordinal: 3", "ordinal: 9", "ordinal: 4", "ordinal: 8").Replace(part("x", "a", "b"))) +
		"  - package: q\n    variables:\n" + part("y", "c")
	for _, test := range []struct {
		name   string
		stale  string // marks before, of a b c
		origin string
		others string // a name declared elsewhere in p
		gone   bool   // package q
		want   string // marks, and the sections that are marked anew
	}{
		{"nothing is stale but b", "", "loadstore", "", false, " gone ; b"},
		{"merging has marked both", "not-inferred not-inferred", "loadstore", "", false, "not-inferred gone ; a b"},
		{"known already", "not-inferred gone", "loadstore", "", false, "not-inferred gone ; "},
		{"there again, and not inferred", "gone gone", "loadstore", "", false, "not-inferred gone ; a"},
		{"there again, of a person", "gone gone", "user", "", false, " gone ; "},
		{"in a file that was not looked at", "not-inferred not-inferred", "loadstore", "F", false, "not-inferred not-inferred ; "},
		{"a package is gone", "gone gone", "user", "", true, " gone gone; c"},
		{"others are not touched", "gone gone gone", "user", "", false, " gone gone; "},
	} {
		spec := parse(t, strings.ReplaceAll(text, "loadstore", test.origin))
		m := Marking{
			Names:  atomicity.Code{Packages: map[string]*atomicity.Names{"p": {Others: map[string]bool{test.others: true}}}, Gone: map[string]bool{"q": test.gone}},
			Before: map[string]atomicity.Staleness{},
		}
		ids, marks := []string{"a", "b", "c"}, strings.Fields(test.stale)
		for i, id := range ids {
			if i < len(marks) {
				spec.Section(id).Stale = atomicity.Staleness(marks[i])
			}
			if test.name != "merging has marked both" {
				m.Before[id] = spec.Section(id).Stale
			}
		}
		var marked []string
		for _, s := range Mark(spec, code, m) {
			marked = append(marked, s.ID)
		}
		got := fmt.Sprintf("%s %s %s; %s", spec.Section("a").Stale, spec.Section("b").Stale, spec.Section("c").Stale, strings.Join(marked, " "))
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
