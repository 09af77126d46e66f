package rewrite

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// interfaceOf lists what heal exports when it is built with tags: names, types, the
// exported fields of structs and the exported methods.
func interfaceOf(t *testing.T, goarch string, tags ...string) map[string]string {
	t.Helper()
	context := build.Default
	context.GOARCH, context.BuildTags, context.CgoEnabled = goarch, tags, false
	listed, err := context.ImportDir(filepath.Join("..", "heal"), 0)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range listed.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join("..", "heal", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Sizes: types.SizesFor("gc", goarch)}
	pkg, err := config.Check("heal", fset, files, nil)
	if err != nil {
		t.Fatalf("%v: %v; every file of heal is built without atomrace_off, or says only what a violation is", tags, err)
	}
	api := map[string]string{}
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		api[name] = typeText(pkg, o)
		named, ok := o.Type().(*types.Named)
		if _, isType := o.(*types.TypeName); !isType || !ok {
			continue
		}
		for m := range types.NewMethodSet(types.NewPointer(named)).Methods() {
			if m.Obj().Exported() && len(m.Index()) == 1 {
				api[name+"."+m.Obj().Name()] = typeText(pkg, m.Obj())
			}
		}
		s, ok := named.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if f.Exported() {
				api[name+"."+f.Name()] = typeText(pkg, f)
			}
		}
	}
	return api
}

// typeText is the kind and type of o without the names of parameters. What a
// type without exported fields is made of is its own affair.
func typeText(pkg *types.Package, o types.Object) string {
	typ := o.Type()
	if _, ok := o.(*types.TypeName); ok {
		if _, ok := typ.Underlying().(*types.Struct); ok {
			return "struct"
		}
		typ = typ.Underlying()
	}
	if s, ok := typ.(*types.Signature); ok {
		var limits []string
		for p := range s.TypeParams().TypeParams() {
			limits = append(limits, types.TypeString(p.Constraint(), types.RelativeTo(pkg)))
		}
		typ = types.NewSignatureType(nil, nil, nil, anonymous(s.Params()), anonymous(s.Results()), s.Variadic())
		return strings.Join(limits, ",") + types.TypeString(typ, types.RelativeTo(pkg))
	}
	return types.TypeString(typ, types.RelativeTo(pkg))
}

func anonymous(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(token.NoPos, v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// A program that builds with heal builds with what stands in for it. (The test is here
// since heal's own are built for the race detector and for fuzzing, too, and a type
// checker with all that it imports would be built with them.)
func TestHealOffHasTheSameInterface(t *testing.T) {
	on := interfaceOf(t, "amd64")
	if len(on) < 100 {
		t.Fatalf("only %d names", len(on))
	}
	for _, other := range []struct {
		goarch string
		tags   []string
	}{{"amd64", []string{"atomrace_off"}}, {"arm64", nil}, {"386", nil}} {
		got := interfaceOf(t, other.goarch, other.tags...)
		names := maps.Clone(on)
		maps.Copy(names, got)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if on[name] != got[name] {
				t.Errorf("%s %v: %s is %q, want %q", other.goarch, other.tags, name, got[name], on[name])
			}
		}
	}
}
