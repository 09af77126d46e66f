package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// Methods of containers, by what they do. Counts aside, they take a key, or the element of a list.
var (
	looksUp = pattern.New(`^(Get|Peek|Contains|Has|HasKey|Exists|Lookup|Find|Load)$`)
	puts    = pattern.New(`^(Add|Set|Put|Insert|Store|ReplaceOrInsert)$`)
	removes = pattern.New(`^(Remove|Delete|Del|Unset|Evict)$`)
	counts  = pattern.New(`^(Len|Size|Count|Cardinality)$`)
	pushes  = pattern.New(`^Push(Front|Back)$`)
)

// addContained adds the accesses that calls of the methods of containers make: what other
// packages offer in place of a map, such as an LRU cache, a tree or a set, without a lock
// of its own. Who has a lock for it has it for the entries. An access has the call for its
// expression, and the ordinal 0: atomicity.yaml does not speak of entries of such a kind.
func (p *Package) addContained() {
	known := map[*types.TypeName]bool{}
	for _, fn := range p.Functions {
		calls := map[ast.Expr]*ast.CallExpr{} // by the container
		var held []*access.Access             // those that are no pointers, whose value nobody reads
		var around []ast.Node
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || p.variable(sel.X) == nil {
				return true
			}
			// A method that is promoted belongs to a part.
			if m := p.Info.Selections[sel]; m != nil && m.Kind() == types.MethodVal && len(m.Index()) == 1 && p.isContainer(m.Recv(), known) {
				calls[ast.Unparen(sel.X)] = call
				if _, pointer := types.Unalias(m.Recv()).(*types.Pointer); !pointer {
					held = append(held, p.heldContainer(fn, ast.Unparen(sel.X), around))
				}
			}
			return true
		})
		if len(calls) == 0 {
			continue
		}
		list := make([]*access.Access, 0, len(fn.Accesses)+len(calls))
		read := map[ast.Expr]bool{}
		for _, a := range fn.Accesses {
			list = append(list, a)
			if call := calls[a.Expr]; call != nil && a.Kind == access.Cell && a.Mode == atomicity.Read {
				read[a.Expr] = true
				if in := contained(a, call); in != nil {
					list = append(list, in)
					p.contained[call] = true
				}
			}
		}
		for _, a := range held {
			call := calls[a.Expr]
			if in := contained(a, call); in != nil && !read[a.Expr] {
				list = insert(list, in, call.End())
				p.contained[call] = true
			}
		}
		fn.Accesses = list
	}
}

// insert puts the access, of what ends there, into the list, which is in the order of the source.
func insert(list []*access.Access, a *access.Access, end token.Pos) []*access.Access {
	at := slices.IndexFunc(list, func(b *access.Access) bool { return b.Pos() >= end })
	if at < 0 {
		at = len(list)
	}
	return slices.Insert(list, at, a)
}

// heldContainer is what stands for the read of a container that the variable x holds itself.
func (p *Package) heldContainer(fn *access.Function, x ast.Expr, around []ast.Node) *access.Access {
	a := p.within(fn, access.Var{Obj: p.variable(x).Origin()}, around)
	a.Expr, a.Cell, a.Base = x, x, p.rootOf(x)
	return a
}

// within is a read of the variable with the nodes around it.
func (p *Package) within(fn *access.Function, v access.Var, around []ast.Node) *access.Access {
	a := &access.Access{Kind: access.Cell, Mode: atomicity.Read, Var: v, Func: fn}
	for _, n := range around {
		switch n := n.(type) {
		case *ast.FuncDecl:
			a.Scope = n
		case *ast.FuncLit:
			a.Scope = n
		case *ast.BlockStmt:
		case ast.Stmt:
			a.Stmt = n
		}
	}
	return a
}

// rootOf is the variable at the root of the expression, or nil.
func (p *Package) rootOf(x ast.Expr) *types.Var {
	for {
		switch e := ast.Unparen(x).(type) {
		case *ast.Ident:
			v, _ := p.Info.Uses[e].(*types.Var)
			return v
		case *ast.SelectorExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		default:
			return nil
		}
	}
}

// Contained says whether the call makes an access to a container, which stands for all that
// the method does to it.
func (p *Package) Contained(call *ast.CallExpr) bool { return p.contained[call] }

// contained is the access that the call makes to the entries of the container that a reads,
// or nil.
func contained(a *access.Access, call *ast.CallExpr) *access.Access {
	in := *a
	in.Kind, in.Expr, in.Cell, in.Ordinal, in.Var.Contents = access.MapElement, call, a.Expr, 0, true
	name := ast.Unparen(call.Fun).(*ast.SelectorExpr).Sel.Name
	switch {
	case len(call.Args) == 0 && counts.MatchString(name):
		in.Kind, in.Method = access.MapWhole, "len"
		return &in
	case len(call.Args) == 0:
		return nil
	case looksUp.MatchString(name):
	case puts.MatchString(name), pushes.MatchString(name):
		in.Mode = atomicity.Write
	case removes.MatchString(name):
		in.Mode, in.Method = atomicity.Write, "delete"
	default:
		return nil
	}
	in.Key = call.Args[0]
	return &in
}

// isContainer says whether the type is one of another package's without a lock, with methods
// that look entries up, put them in and take them out, by the same key and without errors.
func (p *Package) isContainer(t types.Type, known map[*types.TypeName]bool) bool {
	tn := TypeName(t)
	if tn == nil || tn.Pkg() == nil || tn.Pkg() == p.Types || types.IsInterface(t) {
		return false
	}
	if is, ok := known[tn]; ok {
		return is
	}
	if tn.Pkg().Path() == "container/list" && tn.Name() == "List" {
		known[tn] = true
		return true
	}
	var looks, put, out bool
	for _, m := range typeutil.IntuitiveMethodSet(t, nil) {
		fn, ok := m.Obj().(*types.Func)
		if !ok || fn.Signature().Params().Len() == 0 {
			continue
		}
		sig := fn.Signature()
		if key := TypeName(sig.Params().At(0).Type()); key != nil && key.Pkg() != nil && key.Pkg().Path() == "context" {
			looks = false
			break // it asks somebody else
		}
		switch name := fn.Name(); {
		case looksUp.MatchString(name):
			looks = looks || sig.Results().Len() > 0 && !fails(sig)
		case puts.MatchString(name):
			put = put || !fails(sig)
		case removes.MatchString(name):
			out = out || !fails(sig)
		}
	}
	known[tn] = looks && put && out && !lockedWithin(tn.Type(), tn.Pkg(), 2)
	return known[tn]
}

// fails says whether the last result is an error.
func fails(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && types.Identical(sig.Results().At(n-1).Type(), types.Universe.Lookup("error").Type())
}

// lockedWithin says whether the type, or one of its package's that it is made of, has
// something by which goroutines wait for each other.
func lockedWithin(t types.Type, pkg *types.Package, depth int) bool {
	if depth == 0 {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return lockedWithin(t.Elem(), pkg, depth)
	case *types.Slice:
		return lockedWithin(t.Elem(), pkg, depth)
	case *types.Array:
		return lockedWithin(t.Elem(), pkg, depth)
	case *types.Map:
		return lockedWithin(t.Elem(), pkg, depth)
	case *types.Chan:
		return true
	case *types.Named:
		switch of := t.Obj().Pkg(); {
		case of != nil && (of.Path() == "sync" || access.IsAtomic(of.Path())):
			return true
		case of != pkg:
			return false
		}
		str, ok := t.Underlying().(*types.Struct)
		if !ok {
			return lockedWithin(t.Underlying(), pkg, depth)
		}
		for f := range str.Fields() {
			if lockedWithin(f.Type(), pkg, depth-1) {
				return true
			}
		}
	}
	return false
}
