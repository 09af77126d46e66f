// Package access enumerates the accesses that Go source makes to variables
// which more than one goroutine may reach.
//
// It is the one place that says what an access is, which variable it touches,
// in which mode, and which number it has within its function. The analyzers
// infer atomic sections over these accesses, atomicity.yaml names them
// (function, variable, mode, ordinal) and the rewriter puts hooks around them;
// because all three number accesses here, they always mean the same one.
//
// [Enumerate] walks the type-checked syntax of a package and returns one
// [Function] for each declaration with a body, with its accesses in the order
// in which Go evaluates them. A variable, [Var], is a struct field, a
// package-level variable, a local that a function literal captures, or the
// contents of a map, slice, array pointer or sync.Map (papers/001 calls all of
// them shared variables; DESIGN.md, "The words"). Whether a variable really is
// shared is not decided here: the result is the syntactic superset.
//
// Not enumerated, because they are no access to memory that another goroutine
// could touch at the same time: locals that stay in one function, fields of
// local struct values, taking an address, and synchronisation objects
// themselves (sync.Mutex and the like).
//
// The package reads syntax and types only; it imports the standard library
// alone and never changes what it is given. It is safe for concurrent use on
// different packages.
package access

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
)

// Kind says what form an access has in the source, which decides how it can be
// instrumented and whether two unordered accesses are a data race.
type Kind uint8

const (
	// Cell is plain memory: x.f, a package-level or captured variable.
	Cell Kind = iota
	// Element is one element of a slice or array: a[i]. Its instance is the
	// element's address.
	Element
	// MapElement is one entry of a map: m[k], delete(m, k). Its instance for
	// an atomic section is the map and the key; for a data race, the map.
	MapElement
	// MapWhole is an access to all entries of a map: len(m), range m,
	// clear(m).
	MapWhole
	// Atomic is a call of a sync/atomic function or of a method of a
	// sync/atomic type. It never is a data race; it can break a section.
	Atomic
	// SyncMap is a call of a sync.Map method. Its instance is the map and
	// the key.
	SyncMap
	// Call is a call of a method of the package that accesses a field of its
	// receiver, or the entry of a map there that is named by an argument. It serves to begin and end sections alone; see [Package.Call].
	Call
)

var kindNames = [...]string{"cell", "element", "map element", "map", "atomic", "sync.Map", "call"}

func (k Kind) String() string { return kindNames[k] }

// Var identifies a variable: the object that declares it and whether the
// access is to the object's own memory or to the contents it refers to.
// Var is comparable.
type Var struct {
	// Obj is the field, package-level variable or captured local. For
	// fields and variables of generic types it is the generic origin.
	Obj *types.Var
	// Contents is set for map entries, slice and array elements and
	// sync.Map entries: the variable named with the suffix "[]".
	Contents bool
}

// An Access is one read or one write of a variable.
type Access struct {
	Var  Var
	Mode atomicity.AccessSet // exactly one of atomicity.Read and atomicity.Write
	Kind Kind

	// Expr is the whole access: x.f, m[k], a[i], or the call for Atomic,
	// SyncMap and the built-ins (len, delete, clear, append's target stays
	// a Cell).
	Expr ast.Expr
	// Cell denotes the memory itself: x.f for x.f, for x.f.Load() and for
	// atomic.LoadInt32(&x.f); m for m[k]; a[i] for a[i].
	Cell ast.Expr
	// Pointer says that Cell is the address of the memory rather than the
	// memory: p in atomic.LoadInt32(p), or in p.Load() for a *atomic.Int32.
	Pointer bool
	// Promoted says that the accessed memory is an atomic or sync.Map
	// embedded in Cell, whose method was promoted: c in c.Load() for a
	// struct c that embeds atomic.Bool.
	Promoted bool
	// Key is k of m[k] or of a sync.Map call, and the argument that is k in the
	// called method for a Call that accesses such an entry; else nil.
	Key ast.Expr
	// Method is the name of the method or sync/atomic function for Atomic
	// and SyncMap ("Load", "CompareAndSwap", …), "len", "range", "delete"
	// or "clear" for the built-ins and range, else empty.
	Method string
	// Update links the read and the write of x++, x += y: both have the
	// same Expr, and each names the other.
	Update *Access

	// Stmt is the innermost statement that contains the access.
	Stmt ast.Stmt
	// Source is the statement that Code says, where Stmt stands for it only.
	Source ast.Stmt
	// Scope is the innermost *ast.FuncDecl or *ast.FuncLit that contains
	// the access; nil in the initialiser of a package-level variable.
	Scope ast.Node
	// Base is the object of the identifier at the root of Cell (p of
	// p.free, the package-level variable of v.f), or nil when the root is a
	// call or another computed value.
	Base *types.Var

	// Func is the function the access is counted in.
	Func *Function
	// Ordinal is 1-based among the accesses of Var in Func, both modes
	// counted, in the order of evaluation.
	Ordinal int
}

// Pos is the place that diagnostics should point at.
func (a *Access) Pos() token.Pos { return a.Expr.Pos() }

// End is the position immediately after the access expression.
func (a *Access) End() token.Pos { return a.Expr.End() }

// A Function is one declaration with a body: a function, a method, or a
// package-level variable whose initialiser contains function literals. The
// accesses of nested function literals are counted in it.
type Function struct {
	// Name as in atomicity.yaml: "F", "T.M", "(*T).M", or the name of the
	// package-level variable.
	Name string
	// Decl is nil for a package-level variable.
	Decl *ast.FuncDecl
	// Node is Decl, or the *ast.ValueSpec of the variable.
	Node ast.Node
	// File contains Node.
	File *ast.File
	// Accesses in the order of evaluation.
	Accesses []*Access
}

// Package holds the accesses of one package.
type Package struct {
	Types     *types.Package
	Info      *types.Info
	Fset      *token.FileSet
	Functions []*Function

	names  namer
	places map[place][]*Access // made when first needed
}

// Enumerate finds the accesses of the type-checked files. Info needs Types,
// Defs, Uses and Selections. Files with type errors are allowed: what has no
// type is passed over.
func Enumerate(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) *Package {
	p := &Package{Types: pkg, Info: info, Fset: fset}
	p.names.init(pkg, info, files)
	for _, file := range files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					p.add(&Function{Name: FunctionName(d), Decl: d, Node: d, File: file})
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) > 0 && hasFuncLit(v) {
						p.add(&Function{Name: v.Names[0].Name, Node: v, File: file})
					}
				}
			}
		}
	}
	return p
}

func (p *Package) add(f *Function) {
	w := &walker{info: p.Info, fn: f, ordinals: map[Var]int{}}
	w.captured = capturedLocals(p.Info, f.Node)
	w.node(f.Node)
	p.Functions = append(p.Functions, f)
}

// FunctionName is the declaration's name as atomicity.yaml writes it.
func FunctionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	star := false
	if s, ok := t.(*ast.StarExpr); ok {
		star, t = true, ast.Unparen(s.X)
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	name := "?"
	if id, ok := t.(*ast.Ident); ok {
		name = id.Name
	}
	if star {
		return "(*" + name + ")." + d.Name.Name
	}
	return name + "." + d.Name.Name
}

func hasFuncLit(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			found = true
		}
		return !found
	})
	return found
}
