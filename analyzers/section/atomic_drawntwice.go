package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// drawnTwice finds numbers that are drawn from an atomic counter in two steps: the
// counter is loaded, what was loaded chooses an element or is returned, and an addition
// whose result is dropped moves the counter on. Two goroutines draw one number.
func (s *search) drawnTwice() {
	if s.shared.Constructing(s.body) || s.shared.Single(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, load := range s.order {
		if load.Kind != access.Atomic || load.Mode != atomicity.Read || load.via != nil || load.held.Any() || s.reachOf(load) < shared.Meant {
			continue
		}
		for _, add := range s.order {
			stmt, dropped := add.Stmt.(*ast.ExprStmt)
			if add.Mode != atomicity.Write || add.via != nil || s.step(add) <= 0 || !dropped || ast.Unparen(stmt.X) != add.Expr ||
				!add.sameInstance(load) || add.block != load.block || add.index < load.index || add.held.Any() || s.usedBetween(load, add) || !s.draws(load) {
				continue
			}
			ok, _, evidence := s.rivals(load.Var)
			f := finding{search: s, entry: load, trail: &trail{}}
			if !ok || f.singleWriter() || f.ownedType() || f.oneEnd() {
				continue
			}
			c := s.direct("loadstore", "atomic-load-and-store", load.Access, load.Pos(), add.Pos())
			c.Pattern = atomicity.LoadAndStore
			c.Evidence = evidence
			c.Roles = [2]string{"loaded", "added to"}
			c.Message = fmt.Sprintf("two goroutines can both load %s before either adds to it, and go on with the same number: use what %s returns",
				types.ExprString(load.Cell), add.Method)
			s.tell(c, load, add.Access)
			break
		}
	}
}

// drawnAfter is drawnTwice the other way round: the counter is counted up, and what it is by
// then is returned as a number that nobody else is to have.
//
//	atomic.AddUint64(&lastID, 1)
//	return lastID
func (s *search) drawnAfter() {
	if s.shared.Single(s.body) || s.shared.Sequential(s.body) || !numbered.MatchString(s.body.Fn.Name) {
		return
	}
	for _, add := range s.order {
		stmt, dropped := add.Stmt.(*ast.ExprStmt)
		if add.Kind != access.Atomic || add.Mode != atomicity.Write || add.via != nil || s.step(add) == 0 || !dropped || ast.Unparen(stmt.X) != add.Expr || add.held.Any() || s.reachOf(add) < shared.Meant {
			continue
		}
		for _, look := range s.order {
			if look.Kind != access.Atomic && look.Kind != access.Cell || look.Mode != atomicity.Read || look.via != nil || rmw(look.Access) || look.Update != nil ||
				!look.sameInstance(add) || look.block != add.block || look.index < add.index || look.held.Any() || !s.draws(look) {
				continue
			}
			if ok, _, _ := s.rivals(add.Var); !ok && !accesses.IsGlobal(add.Var.Obj) {
				continue
			}
			c := s.direct("loadstore", "atomic-load-and-store", add.Access, add.Pos(), look.Pos())
			c.Pattern = atomicity.LoadAndStore
			c.Roles = [2]string{"counted up", "read"}
			c.Message = fmt.Sprintf("two goroutines can both count %s up before either reads it, and go on with the same number: use what %s returns",
				types.ExprString(add.Cell), add.Method)
			s.tell(c, add, look.Access)
			return
		}
	}
}

// numbered are the names of functions by which somebody gets a number of its own.
var numbered = pattern.New(`(?i)(id|seq|sequence|serial|nonce|ticket|next\w*|number|num|uid|index|generation)$`)

// usedBetween says whether another access to the instance comes between the two, or the body
// waits for others.
func (s *search) usedBetween(load, add *occurrence) bool {
	for _, ev := range s.body.Events[load.block][load.index+1 : add.index] {
		switch ev.Kind {
		case accesses.OnSend, accesses.OnReceive:
			return true
		case accesses.OnAccess:
			if ev.Access != add.Access && ev.Access.Var == load.Var {
				return true
			}
		}
	}
	return false
}

// drawnApart is drawnTwice for a number under a lock: it is read in one critical section,
// counted up in a later one, and is the key or index of something.
//
//	b.mu.Lock(); id := b.next; b.mu.Unlock()
//	b.mu.Lock(); b.next++; b.subs[id] = f; b.mu.Unlock()
func (s *search) drawnApart() {
	if s.shared.Constructing(s.body) || s.shared.Single(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, load := range s.order {
		if load.Kind != access.Cell || load.Mode != atomicity.Read || load.lit || load.depth > 1 || load.Update != nil || !load.place.Valid() || !isInteger(load.Var.Obj.Type()) ||
			s.reachOf(load) < shared.Meant {
			continue
		}
		for _, add := range s.order {
			if add.Mode != atomicity.Write || add.Var != load.Var || add.place != load.place || add.lit || add.later || add.depth > 1 || direction(add) <= 0 || !s.leadsTo(load, add) || s.oneHold(load, add) || s.oneHold(add, load) {
				continue
			}
			category, lock := s.drawnUnder(load, add)
			if category == "" || len(s.testsOf(load.Access, true)) > 0 || !s.namesSomething(load) {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, load.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			c := s.direct("loadstore", category, load.source(), load.Pos(), add.Pos())
			c.Pattern = atomicity.LoadAndStore
			c.Via, c.EndVia = load.via, add.via
			c.Protected = lock
			c.Roles = [2]string{"read", "counted up"}
			how := "is released in between"
			if category == "read-before-lock" {
				how = "is taken only then"
			}
			c.Message = fmt.Sprintf("two goroutines can both read %s before either counts it up, and go on with the same number: %s %s", load.place, lock, how)
			s.tell(c, load, add.source())
			return
		}
	}
}

// drawnUnder is the lock under which the number is counted up, and the category of the report:
// the same lock was held at the read, or there was none.
func (s *search) drawnUnder(load, add *occurrence) (category, lock string) {
	if !load.held.Any() {
		for _, l := range locksOf(add.held) {
			if add.held[l] == locks.Exclusive && l.Root != nil && l.Root == load.place.Root {
				return "read-before-lock", l.String()
			}
		}
		return "", ""
	}
	for _, l := range locksOf(load.held) {
		if add.held[add.lockOf(locks.ClassOf(l))] == locks.Exclusive {
			category, lock = "unlock-relock", l.String()
		}
	}
	return category, lock
}

// namesSomething says whether the number is what an entry of a map or an element is put in by, or
// what something new is numbered with: &order{Index: n}.
func (s *search) namesSomething(load *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
					_, mine := s.values.of(x.Index)[load.Access]
					found = found || mine
				}
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && numbered.MatchString(id.Name) && isInteger(s.pkg.Info.TypeOf(n.Value)) {
				_, mine := s.values.of(n.Value)[load.Access]
				found = found || mine
			}
		}
		return !found
	})
	return found
}

// draws says whether the number loaded chooses an element of a slice or array, or is what
// the body returns. A number that is merely told, or tested, is no such draw.
func (s *search) draws(load *occurrence) bool {
	tests := s.testsOf(load.Access, false)
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IndexExpr:
			if _, isMap := s.values.underlying(n.X).(*types.Map); !isMap && s.pkg.Info.Types[n.X].IsValue() {
				_, mine := s.values.of(n.Index)[load.Access]
				found = found || mine
			}
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				found = found || s.values.of(r)[load.Access] && isInteger(s.pkg.Info.TypeOf(r))
			}
		}
		return !found
	})
	return found && len(tests) == 0
}

func isInteger(t types.Type) bool {
	if t == nil {
		return false // an expression with a type error
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
