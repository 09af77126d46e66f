package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// ownPeer says whether the entry of a map is looked for and put in by the endless loop that
// reads packets, at the address that a packet came from, and nobody else enters one:
//
//	for {
//		n, from, err := conn.ReadFrom(buf)
//		…
//		v, ok := sessions.Load(from.String())
//		if !ok { sessions.Store(from.String(), newSession(from)) }
//	}
//
// A socket has one such loop, unless goroutines of a loop share it, and two sockets have
// peers of their own. Others remove a peer's entry when it has gone, at any time.
func (f *finding) ownPeer(end *hit) bool {
	if f.entry.Key == nil || f.entry.via != nil || end.via != nil || removesEntry(end.Access) || f.shared.Launched(f.body) {
		return false
	}
	loop := f.endlessLoop()
	if loop == nil || !f.comesFrom(f.entry.Key, f.peersRead(loop), 0) {
		return false
	}
	for _, w := range f.ownAccesses(f.entry.Var) {
		if w.Mode == atomicity.Write && w.body != f.body && !removesEntry(w.Access) {
			return false
		}
	}
	return true
}

// endlessLoop is the loop without a condition around the entry, in the same function.
func (f *finding) endlessLoop() *ast.ForStmt {
	var found *ast.ForStmt
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			if n.Cond == nil && n.Body.Pos() <= f.entry.Pos() && f.entry.Pos() < n.Body.End() {
				found = n
			}
		}
		return true
	})
	return found
}

// peersRead are the locals that calls in the loop give the address to that something was
// read from, along with what was read.
func (s *search) peersRead(loop *ast.ForStmt) map[types.Object]bool {
	peers := map[types.Object]bool{}
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Lhs) < 2 || len(as.Rhs) != 1 {
			return true
		}
		call, ok := ast.Unparen(as.Rhs[0]).(*ast.CallExpr)
		if !ok || !s.takesBytes(call) {
			return true
		}
		for _, l := range as.Lhs {
			if id, ok := l.(*ast.Ident); ok {
				if obj := s.pkg.Info.ObjectOf(id); obj != nil && isAddress(obj.Type()) {
					peers[obj] = true
				}
			}
		}
		return true
	})
	return peers
}

func (s *search) takesBytes(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if t := s.pkg.Info.TypeOf(arg); t != nil {
			if sl, ok := t.Underlying().(*types.Slice); ok && types.Identical(sl.Elem(), types.Typ[types.Byte]) {
				return true
			}
		}
	}
	return false
}

// isAddress says whether t is the address of a network's end point.
func isAddress(t types.Type) bool {
	if tn := accesses.TypeName(t); tn != nil && tn.Pkg() != nil && tn.Pkg().Path() == "net/netip" {
		return tn.Name() == "AddrPort" || tn.Name() == "Addr"
	}
	for _, name := range []string{"Network", "String"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := obj.(*types.Func); !ok {
			return false
		}
	}
	return true
}

// comesFrom says whether the expression is made of one of the objects, perhaps by way of locals
// that are assigned once.
func (f *finding) comesFrom(e ast.Expr, objects map[types.Object]bool, depth int) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found {
			return !found
		}
		obj := f.pkg.Info.ObjectOf(id)
		list := f.values.assigns[obj]
		found = objects[obj] || len(list) == 1 && list[0].value != nil && depth < 3 && f.comesFrom(list[0].value, objects, depth+1)
		return true
	})
	return found
}
