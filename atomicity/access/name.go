package access

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// namer gives variables the names that atomicity.yaml uses.
type namer struct {
	pkg    *types.Package
	owners map[*types.Package]map[*types.Var]string // field → Type.field
	locals map[*types.Var]string                    // local → func.local
}

// Name is the variable's name in atomicity.yaml: Type.field for a field, name
// for a package-level variable, func.name for a captured local, each with the
// suffix "[]" for its contents. Variables that another package declares are
// qualified with its import path: path/to/pkg.Type.field.
func (p *Package) Name(v Var) string {
	n := &p.names
	name, ok := n.locals[v.Obj]
	if !ok {
		name = v.Obj.Name()
		if v.Obj.IsField() {
			name = n.field(v.Obj)
		}
		if pkg := v.Obj.Pkg(); pkg != nil && pkg != n.pkg && pkg.Path() != n.pkg.Path() {
			name = pkg.Path() + "." + name
		}
	}
	if v.Contents {
		name += "[]"
	}
	return name
}

func (n *namer) init(pkg *types.Package, info *types.Info, files []*ast.File) {
	n.pkg = pkg
	n.owners = map[*types.Package]map[*types.Var]string{}
	n.locals = map[*types.Var]string{}
	n.nameLocals(info, files)
	// Fields of types and variables declared inside functions, in the order
	// of the source: a struct type that several variables share is named
	// after the first.
	own := n.packageOwners(pkg)
	for _, def := range sortedDefs(info) {
		switch def := def.(type) {
		case *types.TypeName:
			addFields(own, def.Name(), def.Type())
		case *types.Var:
			if name, ok := n.locals[def]; ok {
				addFields(own, name, def.Type())
			}
		}
	}
}

func sortedDefs(info *types.Info) []types.Object {
	defs := make([]types.Object, 0, len(info.Defs))
	for _, def := range info.Defs {
		if def != nil {
			defs = append(defs, def)
		}
	}
	slices.SortFunc(defs, func(a, b types.Object) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return defs
}

// nameLocals names every local variable after its declaration's function;
// the second of the same name in a function gets "#2", in source order.
func (n *namer) nameLocals(info *types.Info, files []*ast.File) {
	functions := declarations(files)
	seen := map[string]int{}
	for _, def := range sortedDefs(info) {
		v, ok := def.(*types.Var)
		if !ok || v.IsField() || isPackageLevel(v) || v.Name() == "_" {
			continue
		}
		i, found := slices.BinarySearchFunc(functions, v.Pos(), declaration.compare)
		if !found {
			continue
		}
		name := functions[i].name + "." + v.Name()
		if seen[name]++; seen[name] > 1 {
			name += "#" + strconv.Itoa(seen[name])
		}
		n.locals[v] = name
	}
}

func (n *namer) field(f *types.Var) string {
	if f.Pkg() == nil {
		return f.Name()
	}
	owners, ok := n.owners[f.Pkg()]
	if !ok {
		owners = n.packageOwners(f.Pkg())
	}
	if name, ok := owners[f]; ok {
		return name
	}
	return "struct." + f.Name()
}

// packageOwners maps the fields of every type and variable that the package's
// scope declares to their names.
func (n *namer) packageOwners(pkg *types.Package) map[*types.Var]string {
	owners := map[*types.Var]string{}
	n.owners[pkg] = owners
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if obj := scope.Lookup(name); obj != nil {
			switch obj.(type) {
			case *types.TypeName, *types.Var:
				addFields(owners, name, obj.Type())
			}
		}
	}
	return owners
}

// addFields names the fields of the type or variable that is called name.
// Fields of named types other than the one declared by that name belong to
// those.
func addFields(owners map[*types.Var]string, name string, t types.Type) {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if named.Obj().Name() != name || named.Origin() != named {
			return // a variable or another name of a named type: fields belong to the type
		}
		t = named.Underlying()
	}
	addLiteral(owners, name, t)
}

// addLiteral names the fields of the struct type that t is, or that an array,
// slice, map, pointer or channel of it spells out. It stops at named types, so
// that it ends on recursive ones.
func addLiteral(owners map[*types.Var]string, name string, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if _, ok := owners[f]; ok {
				continue
			}
			owners[f] = name + "." + f.Name()
			addLiteral(owners, name+"."+f.Name(), f.Type())
		}
	case *types.Pointer:
		addLiteral(owners, name, t.Elem())
	case *types.Slice:
		addLiteral(owners, name, t.Elem())
	case *types.Array:
		addLiteral(owners, name, t.Elem())
	case *types.Map:
		addLiteral(owners, name, t.Elem())
	case *types.Chan:
		addLiteral(owners, name, t.Elem())
	}
}

// declaration is the extent of one top-level declaration.
type declaration struct {
	name     string
	from, to token.Pos
}

func (d declaration) compare(pos token.Pos) int {
	switch {
	case pos < d.from:
		return 1
	case pos >= d.to:
		return -1
	}
	return 0
}

// declarations lists the functions and package-level variables of the files,
// sorted by position.
func declarations(files []*ast.File) []declaration {
	var all []declaration
	for _, file := range files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				all = append(all, declaration{FunctionName(d), d.Pos(), d.End()})
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						all = append(all, declaration{v.Names[0].Name, v.Pos(), v.End()})
					}
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b declaration) int { return cmp.Compare(a.from, b.from) })
	return all
}
