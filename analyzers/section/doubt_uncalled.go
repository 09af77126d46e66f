package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

const nobodyCalls = "nothing but tests can call the method"

// uncalled says whether nothing but tests can run the method that the place is in: it is not
// exported, or its type is not and comes to nobody outside, the code without the tests names it
// nowhere, and no interface that the package converts to asks for it. No goroutine comes there,
// whatever it does. Functions that are no methods are left: those of a first try are often
// called by nobody yet.
func (s *search) uncalled(pos token.Pos) bool {
	if s.callable == nil {
		s.callable = s.newCallable()
	}
	for _, b := range s.around(pos) {
		if decl, ok := b.Node.(*ast.FuncDecl); ok {
			fn, _ := s.pkg.Info.Defs[decl.Name].(*types.Func)
			return fn != nil && !s.inTest(decl.Pos()) && !directed(decl) && !s.callable.has(fn)
		}
	}
	return false
}

func (s *search) inTest(pos token.Pos) bool {
	return strings.HasSuffix(s.pass.Fset.PositionFor(pos, false).Filename, "_test.go")
}

// directed says whether a directive may give the function to others: //export, //go:linkname.
func directed(decl *ast.FuncDecl) bool {
	return decl.Doc != nil && slices.ContainsFunc(decl.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//export ") || strings.HasPrefix(c.Text, "//go:")
	})
}

// callable is what of a package can be called.
type callable struct {
	pkg        *accesses.Package
	named      map[*types.Func]bool
	interfaces []*types.Interface
	seen       map[types.Type]bool
	embedded   map[*types.TypeName]bool // whose methods are others' as well
	outside    map[*types.TypeName]bool // whose methods others can call; nil for a command
	reflects   bool
}

// reflected are methods that others look for by their names, and mirrors the packages that call
// any method so.
var (
	reflected = pattern.New(`^(String|GoString|Error|Format|Scan|Value|Is|As|Unwrap|(Un)?[mM]arshal\w*|Gob\w+|Set|LogValue|_)$`)
	mirrors   = pattern.New(`^(reflect|text/template|html/template|net/rpc|plugin|C|unsafe)$|(^|/)(rpc|dig|fx|wire)(/v\d+)?$`)
)

func (s *search) newCallable() *callable {
	pkg := s.pkg
	c := &callable{pkg: pkg, named: map[*types.Func]bool{}, seen: map[types.Type]bool{}, embedded: map[*types.TypeName]bool{}}
	for id, obj := range pkg.Info.Uses {
		if fn, ok := obj.(*types.Func); ok && !s.inTest(id.Pos()) {
			c.named[fn.Origin()] = true
		}
	}
	for _, tv := range pkg.Info.Types {
		c.converts(tv.Type)
	}
	for _, obj := range pkg.Info.Defs {
		if f, ok := obj.(*types.Var); ok && f.Embedded() {
			c.embedded[accesses.TypeName(f.Type())] = true
		}
	}
	c.reflects = slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return mirrors.MatchString(p.Path()) })
	if pkg.Types.Name() != "main" || pkg.Types.Scope().Lookup("main") == nil {
		c.outside = map[*types.TypeName]bool{}
		for _, name := range pkg.Types.Scope().Names() {
			if obj := pkg.Types.Scope().Lookup(name); obj.Exported() {
				c.comesOut(obj.Type())
			}
		}
	}
	return c
}

// converts notes the interfaces that values of the type, or arguments of such functions, are
// converted to.
func (c *callable) converts(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Signature:
		for v := range t.Params().Variables() {
			c.converts(v.Type())
		}
	case *types.Slice:
		c.converts(t.Elem())
	case *types.Map:
		c.converts(t.Elem())
	case *types.Chan:
		c.converts(t.Elem())
	case *types.Named, *types.Interface, *types.TypeParam:
		if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 && !c.seen[i] {
			c.seen[i] = true
			c.interfaces = append(c.interfaces, i)
		}
	}
}

// comesOut notes the types of the package that others get to see by way of t, which they see.
func (c *callable) comesOut(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		tn := t.Origin().Obj()
		if tn.Pkg() != c.pkg.Types || c.outside[tn] {
			return
		}
		c.outside[tn] = true
		c.comesOut(t.Underlying())
		for m := range t.Origin().Methods() {
			if m.Exported() {
				c.comesOut(m.Type())
			}
		}
		for i := range t.TypeArgs().Len() {
			c.comesOut(t.TypeArgs().At(i))
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				c.comesOut(f.Type())
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			c.comesOut(v.Type())
		}
		for v := range t.Results().Variables() {
			c.comesOut(v.Type())
		}
	case interface{ Elem() types.Type }:
		c.comesOut(t.Elem())
	}
}

// has says whether somebody can call fn, as far as is known.
func (c *callable) has(fn *types.Func) bool {
	fn = fn.Origin()
	if c.named[fn] || c.reflects || reflected.MatchString(fn.Name()) {
		return true
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return true
	}
	tn := accesses.TypeName(recv.Type())
	if tn == nil || c.embedded[tn] || fn.Exported() && c.outside != nil && c.outside[tn] {
		return true
	}
	return slices.ContainsFunc(c.interfaces, func(i *types.Interface) bool {
		for m := range i.Methods() {
			if m.Name() == fn.Name() {
				return c.satisfies(tn, i)
			}
		}
		return false
	})
}

// satisfies says whether the type, or a pointer to it, has all methods that the interface asks for.
func (c *callable) satisfies(tn *types.TypeName, i *types.Interface) bool {
	have := map[string]bool{}
	for _, m := range typeutil.IntuitiveMethodSet(tn.Type(), nil) {
		have[m.Obj().Name()] = true
	}
	for m := range i.Methods() {
		if !have[m.Name()] {
			return false
		}
	}
	return true
}
