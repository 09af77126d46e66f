package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Analyzer computes the *Package of a package.
var Analyzer = &analysis.Analyzer{
	Name:             "accesses",
	Doc:              docs.Extract(doc, "accesses"),
	URL:              docs.URL("accesses"),
	Run:              guard.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Package](),
}

// Package is the result of Analyzer. It is read-only once computed.
//
// Test files are left out: tests call functions without the locks that their callers
// hold, and read what nobody else reads so; what they do tells nothing about the program.
type Package struct {
	*access.Package
	Files []*ast.File
	// Bodies holds every function and function literal, in source order,
	// a literal after the function around it.
	Bodies []*Body
	// ByNode finds the body of an *ast.FuncDecl or *ast.FuncLit.
	ByNode map[ast.Node]*Body
	// ByFunc finds the body of a function declared in this package.
	ByFunc map[*types.Func]*Body
	// Aliases maps locals that are only ever another name of one place
	// (mu := &s.mu, t := s) to that place.
	Aliases map[types.Object]ast.Expr

	copied     *copies                   // see inPlace
	contained  map[*ast.CallExpr]bool    // see addContained
	refilled   map[*types.Var]bool       // fields whose elements somebody sets that has not made the object
	inPassing  map[types.Object]bool     // see passing
	conditions map[types.Object]ast.Expr // see nameConditions
	condLocks  map[*types.Var]string     // see findConds
	selecting  map[*types.Func]string    // see findSelecting
	getting    map[*types.Func]ast.Expr  // see findGetting

	ownTypes bool                                // Info.Types is a copy, see made
	returns  map[*ast.ReturnStmt]*ast.ReturnStmt // see PlainReturn

	spans  []span // of functions that are in the place of their calls, by position
	joined map[*ast.FuncDecl]*whole

	shown map[*types.TypeName]bool // see findHidden
	asked map[string]bool          // methods of interfaces
}

// Body is one function or function literal with its control-flow graph.
type Body struct {
	Node   ast.Node // *ast.FuncDecl or *ast.FuncLit
	Block  *ast.BlockStmt
	Func   *types.Func      // nil for a literal
	Fn     *access.Function // the declaration that the accesses count in, with its rests
	Parent *Body            // the body around a literal
	Lits   []*Body          // literals directly inside
	CFG    *cfg.CFG
	// Events has one list for each block of CFG, in order of evaluation.
	Events [][]Event
	// Conds has, for each block that branches, what its branch depends on.
	Conds [][]ast.Expr
	// Parts are, where the body was joined with its rests, the declarations that it was
	// made from, its own the first; see joinRests.
	Parts []*access.Function
}

// Outermost is the body of the declaration around b, b itself if it is one.
func (b *Body) Outermost() *Body {
	for b.Parent != nil {
		b = b.Parent
	}
	return b
}

// Has says whether f is the function of the body, or one of its parts.
func (b *Body) Has(f *access.Function) bool { return b.Fn == f || slices.Contains(b.Parts, f) }

// Encloses says whether the place lies in the declaration around the body, or in one of
// those that it was made from.
func (b *Body) Encloses(pos token.Pos) bool {
	return slices.ContainsFunc(b.Functions(), func(f *access.Function) bool { return f.Node.Pos() <= pos && pos < f.Node.End() })
}

// At is the function that has the place: of one that was joined with its rests, that part.
func (b *Body) At(pos token.Pos) *access.Function {
	for _, f := range b.Functions() {
		if f.Node.Pos() <= pos && pos < f.Node.End() {
			return f
		}
	}
	return b.Fn
}

// Functions are the parts of the declaration around the body, or it alone.
func (b *Body) Functions() []*access.Function {
	if parts := b.Outermost().Parts; parts != nil {
		return parts
	}
	return []*access.Function{b.Fn}
}

// CallIn is [access.Package.Call] in the function, or the part of it, that has the call.
func (p *Package) CallIn(b *Body, call *ast.CallExpr, v access.Var) *access.Access {
	fn := b.At(call.Pos())
	source := p.copied.sources[fn]
	if source == nil {
		return p.Call(fn, call, v)
	}
	a := p.copied.source.Call(source, original(p.copied.old, call), v)
	if a == nil {
		return nil
	}
	same := *a
	same.Func = fn
	return &same
}

// Type is the function's signature, or nil if it has no type.
func (b *Body) Type(info *types.Info) *types.Signature {
	switch n := b.Node.(type) {
	case *ast.FuncDecl:
		if b.Func != nil {
			return b.Func.Signature()
		}
	case *ast.FuncLit:
		sig, _ := info.TypeOf(n).(*types.Signature)
		return sig
	}
	return nil
}

func run(pass *analysis.Pass) (any, error) {
	pkg, info := pass.Pkg, pass.TypesInfo
	if info == nil || pkg == nil { // an import that was loaded without its source
		pkg, info = types.NewPackage("", ""), &types.Info{}
	}
	files, info := withoutTests(pass.Fset, pass.Files, info)
	source, told := files, info
	files, info, copied := inPlace(files, info)
	joined, info, wholes := joinRests(files, info)
	p := &Package{
		Package: access.Enumerate(pass.Fset, files, pkg, info),
		Files:   joined,
		ByNode:  map[ast.Node]*Body{},
		ByFunc:  map[*types.Func]*Body{},
		Aliases: map[types.Object]ast.Expr{},

		copied:    copied,
		contained: map[*ast.CallExpr]bool{},
		refilled:  map[*types.Var]bool{},
		inPassing: map[types.Object]bool{},
	}
	if len(copied.old) > 0 {
		copied.numberAs(p.Package, access.Enumerate(pass.Fset, source, pkg, told))
	}
	p.addParts()
	p.addContained()
	p.addHeaped()
	p.addValued()
	p.addGivenMaps()
	p.addGotten()
	p.nameConditions()
	final := p.finalFields()
	p.layOut(wholes)
	p.joined = wholes
	for _, fn := range p.wholes(wholes) {
		byScope := map[ast.Node][]*access.Access{}
		for _, a := range fn.Accesses {
			byScope[a.Scope] = append(byScope[a.Scope], a)
		}
		w := wholes[fn.Decl]
		if w != nil {
			for _, of := range w.parts {
				byScope[fn.Node] = append(byScope[fn.Node], byScope[of.Node]...)
			}
		}
		p.bodies(fn, fn.Node, nil, byScope)
		p.aliases(fn.Node, final)
		if w != nil {
			b := p.ByNode[fn.Node]
			b.Parts = w.parts
			for _, of := range w.parts {
				p.ByNode[of.Node] = b
			}
		}
	}
	p.findSelecting()
	p.nameSelected()
	p.throughAliases()
	p.findConds()
	p.findHidden()
	return p, nil
}

// bodies adds the bodies below n.
func (p *Package) bodies(fn *access.Function, n ast.Node, parent *Body, byScope map[ast.Node][]*access.Access) {
	add := func(node ast.Node, block *ast.BlockStmt, f *types.Func) {
		b := &Body{Node: node, Block: block, Func: f, Fn: fn, Parent: parent}
		b.CFG = cfg.New(block, p.mayReturn)
		p.Bodies = append(p.Bodies, b)
		p.ByNode[node] = b
		if f != nil {
			p.ByFunc[f] = b
		}
		if parent != nil {
			parent.Lits = append(parent.Lits, b)
		}
		p.order(b, byScope[node])
		p.bodies(fn, block, b, byScope)
	}
	if d, ok := n.(*ast.FuncDecl); ok {
		if f, ok := p.Info.Defs[d.Name].(*types.Func); ok { // not the second one of a name
			add(d, d.Body, f)
		}
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			if lit.Body != nil {
				add(lit, lit.Body, nil)
			}
			return false
		}
		return true
	})
}

// mayReturn is false for calls after which control never goes on.
func (p *Package) mayReturn(call *ast.CallExpr) bool {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := p.Info.Uses[id].(*types.Builtin); ok {
			return b.Name() != "panic"
		}
	}
	fn, ok := typeutil.Callee(p.Info, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return true
	}
	switch fn.Pkg().Path() {
	case "os", "syscall":
		return fn.Name() != "Exit"
	case "runtime":
		return fn.Name() != "Goexit"
	case "log":
		return !(len(fn.Name()) >= 5 && (fn.Name()[:5] == "Fatal" || fn.Name()[:5] == "Panic"))
	case "testing":
		switch fn.Name() {
		case "Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow":
			return false
		}
	}
	return true
}
