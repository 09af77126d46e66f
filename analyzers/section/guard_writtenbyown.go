package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// writtenByOwn finds plain fields that a goroutine of the object's own writes turn by turn, while an
// exported method reads them and nobody ever holds a lock for them:
//
//	func (m *meter) Start()     { go m.loop() }
//	func (m *meter) loop()      { for range m.tick.C { m.n++ } }
//	func (m *meter) Count() int { return m.n }
//
// However few goroutines have the object, its own one is another. What a loop hands on, sends or
// announces may be read by who was told; see letsKnow.
func (s *search) writtenByOwn() {
	if !s.shared.Spawned(s.body) || s.shared.Constructing(s.body) {
		return
	}
	alone := s.shared.OnlySpawned(s.body)
	told := map[access.Var]bool{}
	for _, w := range s.order {
		if w.via != nil || w.Mode != atomicity.Write || (w.Kind != access.Cell || !alone) && (w.Kind != access.MapElement || !s.plainMap(w)) || !w.Var.Obj.IsField() || len(w.held) > 0 || told[w.Var] ||
			s.reachOf(w) == shared.Private || s.toldOfFlag(w.Var) || !s.ofOwnObject(w) {
			continue
		}
		told[w.Var] = true
		if s.lockedAnywhere(w.Var) || !s.turnByTurn(s.body, w.Expr, w.Kind != access.MapElement, 0) {
			continue
		}
		r, in := s.readWhenever(w)
		if r == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), r.Pos())
		c.Roles = [2]string{"written by a goroutine", "read"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is written here, turn by turn, by a goroutine of the object's own, and %s reads it at the same time: neither holds a lock", types.ExprString(w.Expr), in.Fn.Name)
		s.tell(c, w, r.Access)
	}
}

// ofOwnObject says whether w is to a field of the receiver of the method that the body is, or lies in, or of an
// object that the function around it has made.
func (s *search) ofOwnObject(w *occurrence) bool {
	v, ok := w.place.Root.(*types.Var)
	out := s.body.Outermost()
	if !ok || out.Func == nil || v.IsField() || accesses.IsGlobal(v) {
		return false
	}
	if v == out.Func.Signature().Recv() {
		return true
	}
	return s.body.Parent != nil && out.Encloses(v.Pos()) && v.Pos() < s.body.Node.Pos() && accesses.TypeName(v.Type()) == s.shared.Owner(w.Var.Obj)
}

// readWhenever is an access, by an exported method which outside callers run at any time, to what the
// goroutine writes at w; to a map it can be one of another goroutine as well.
func (s *search) readWhenever(w *occurrence) (*occurrence, *accesses.Body) {
	owner := s.shared.Owner(w.Var.Obj)
	for _, k := range s.ownAccesses(w.Var) {
		if k.body == s.body || !s.atAnyTime(k, owner) || w.Kind == access.MapElement && k.Kind == access.Cell && k.Mode == atomicity.Read {
			continue
		}
		if !s.byOutsider(k) && (w.Kind != access.MapElement || !s.shared.OnlySpawned(k.body) || !s.shared.OnlySpawned(s.body)) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(k.body, w.Var, map[*accesses.Body]bool{s.body: true}); strong {
			return k.occurrence, k.body
		}
	}
	return nil, nil
}

// atAnyTime says whether a method of the type makes the access, on its receiver, that neither readies nor ends the
// object and waits for nobody before.
func (s *search) atAnyTime(k placed, owner *types.TypeName) bool {
	fn := k.body.Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil || k.place.Root != types.Object(fn.Signature().Recv()) || accesses.TypeName(fn.Signature().Recv().Type()) != owner {
		return false
	}
	return !s.shared.SetsGoing(k.body) && !endings.MatchString(fn.Name()) && !s.waitsBefore(k)
}

// byOutsider says whether the access is made by an exported function itself, which outside callers run, and no
// goroutine of the package that runs the body as well.
func (s *search) byOutsider(k placed) bool {
	return k.body.Func != nil && k.body.Func.Exported() && s.shared.Entered(k.body) && !s.shared.OneSpawned(k.body, s.body)
}

// turnByTurn says whether a loop of the goroutine that runs b comes by n again and again, and, if it has to be
// quiet, lets nobody know in its turns. A map must not be read even by who was told of it.
func (s *search) turnByTurn(b *accesses.Body, n ast.Node, quiet bool, depth int) bool {
	if loop := s.lastingLoop(b.Block, n); loop != nil {
		return !quiet || !s.letsKnow(loop)
	}
	if b.Func == nil || depth > 2 || quiet && s.letsKnow(b.Block) {
		return false
	}
	for _, from := range s.callersOf(b.Func) {
		if !s.shared.Spawned(from) {
			continue
		}
		found := false
		ast.Inspect(from.Block, func(m ast.Node) bool {
			if call, ok := m.(*ast.CallExpr); ok && s.locks.Callee(call) == b.Func && s.onOwnObject(from, call) {
				found = found || s.turnByTurn(from, call, quiet, depth+1)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// onOwnObject says whether the call is on an object that the goroutine which runs b has from its beginning, b's
// receiver, what a literal captures or what it is started with, and none that has come to it since, by a channel.
func (s *search) onOwnObject(b *accesses.Body, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return true
	}
	root, ok := s.pkg.PlaceOf(sel.X).Root.(*types.Var)
	if !ok {
		return false
	}
	if out := b.Outermost().Func; out != nil && root == out.Signature().Recv() || accesses.IsGlobal(root) {
		return true
	}
	if root.Pos() < b.Node.Pos() || b.Node.End() <= root.Pos() {
		return true
	}
	return hasParameter(b.Type(s.pkg.Info), root) && slices.ContainsFunc(s.pkg.Bodies, func(from *accesses.Body) bool { return s.startsIn(from, b) })
}

// lastingLoop is the outermost loop of the block around n that goes on until something ends it, rather than
// through a number of elements.
func (s *search) lastingLoop(block *ast.BlockStmt, n ast.Node) ast.Stmt {
	var lasting ast.Stmt
	ast.Inspect(block, func(m ast.Node) bool {
		if m == nil || lasting != nil || m.Pos() > n.Pos() || m.End() < n.End() {
			return false
		}
		switch m := m.(type) {
		case *ast.ForStmt:
			if m.Init == nil && m.Post == nil {
				lasting = m
			}
		case *ast.RangeStmt:
			if _, ok := s.values.underlying(m.X).(*types.Chan); ok {
				lasting = m
			}
		}
		return true
	})
	return lasting
}

// letsKnow says whether the node, or what it calls in the package, does what may tell another goroutine
// that something is ready: sends, closes, unlocks, stores to an atomic, calls a function that it was given.
func (s *search) letsKnow(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			found = true
		case *ast.CallExpr:
			if tv := s.pkg.Info.Types[n.Fun]; tv.IsType() || tv.IsBuiltin() {
				id, ok := ast.Unparen(n.Fun).(*ast.Ident)
				found = found || ok && id.Name == "close"
				return !found
			}
			fn := s.locks.Callee(n)
			switch to := s.pkg.ByFunc[fn]; {
			case fn == nil:
				_, lit := ast.Unparen(n.Fun).(*ast.FuncLit)
				found = found || !lit
			case to != nil:
				found = found || s.informs(to)
			case fn.Pkg() != nil && (fn.Pkg().Path() == "sync" || fn.Pkg().Path() == "sync/atomic"):
				found = true
			case fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type()) && fn.Pkg() == s.pkg.Types:
				found = true
			}
		}
		return !found
	})
	return found
}

// informs is letsKnow for a body of the package, each of which is looked through once; one that calls itself
// does not by that.
func (s *search) informs(b *accesses.Body) bool {
	if known, ok := s.informers[b]; ok {
		return known
	}
	if s.informers == nil {
		s.informers = map[*accesses.Body]bool{}
	}
	s.informers[b] = false
	found := s.letsKnow(b.Block)
	s.informers[b] = found
	return found
}
