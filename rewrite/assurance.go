package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/atomrace/atomrace/atomicity/access"
)

// Healing assurance (papers/001 section 5.1): may a section hold the healing lock
// of its variable without a deadlock that was not there before?
//
// The lock H(v) is held by sections over v, from the entry to the end, and by the
// critical sections of the program's locks that have a Hold of v; a single access
// takes it for the access alone, in which nothing waits. Suppose there is a deadlock
// with an H(v) in it. Then somebody who holds H(v) waits, directly or by way of
// others that wait, for somebody who waits for H(v). So it is enough to know, for
// everything that can be waited for, what whoever holds it may wait for in turn:
//
//	H(v)      what is reached in the sections over v and in its Holds; of variables
//	          that sets of the spec hold together, one for all of them (sets.go)
//	a lock m  what is reached in the critical sections of m, of all its instances
//	anything  everything
//
// Channels, condition variables, unknown calls and callbacks are "anything", for who
// could end such a wait may need any lock. A critical section of m that touches v
// without a Hold has an edge from m to H(v), one with a Hold has one from H(v) to
// m: hoisting is what keeps the cycle from closing. A section is assured if nothing
// leads from what it reaches back to H(v).
//
// One node stands for all instances of a variable or lock, and what is reached does
// not depend on conditions, so that the answer errs to the safe side; but what leads to
// no end any more is no part of the section, which closes there (leaving.go). It rests on
// the package alone: calls of other packages are unknown but for those that
// harmless.go lists, and what other packages can lock or access is open to anything.
// Two things remain for the guards at run time: a panic that runs deferred functions
// within the section, and a variable of which another name denotes another instance.

// resource is something that goroutines wait for: a healing lock (access.Var), a
// lock of the program (*types.Var), or anything.
type resource any

type anything struct{}

// An edge says that who holds one resource may wait for another.
type edge struct {
	to  resource
	why string // what the holder does, in words
}

// assurance decides about the sections of one package.
type assurance struct {
	plan     *plan
	pass     *pass // for what it knows of expressions; of no file
	at       map[any][]*access.Access
	edges    map[resource][]edge
	holds    map[resource][]edge // what is reached while Holds have the healing lock
	critical []criticalSection
}

// placedHold is a Hold that stands before the statement lock, for a critical section
// that ends at the latest at end.
type placedHold struct {
	lock lockCall
	end  token.Pos
	touch
}

// assure enters into the tables which sections are assured.
func (p *plan) assure() {
	if len(p.sections) == 0 {
		return
	}
	a := &assurance{plan: p, pass: &pass{plan: p, info: p.pkg.TypesInfo}, at: map[any][]*access.Access{},
		edges: map[resource][]edge{}, holds: map[resource][]edge{}}
	for _, fn := range p.accesses.Functions {
		for _, x := range fn.Accesses {
			a.at[x.Expr] = append(a.at[x.Expr], x)
		}
	}
	a.locks()
	bodies := make([][]edge, len(p.sections))
	for i, s := range p.sections {
		bodies[i] = a.section(s)
		h := a.lock(s.entry.Var)
		a.edges[h] = append(a.edges[h], bodies[i]...)
	}
	for i, s := range p.sections {
		entry := &s.table.sections[s.index]
		entry.assured, entry.assurance = a.decide(s.entry.Var, bodies[i])
	}
}

// decide looks for a way from what a section over v reaches back to its own healing
// lock, and says what it is, or that there is none. Of the other sections over v
// only those that are assured hold the lock; its Holds do in any case.
func (a *assurance) decide(v access.Var, body []edge) (assured bool, reason string) {
	if name := a.openTo(v); name != "" {
		return false, "other packages can access " + name
	}
	h := a.lock(v)
	type step struct {
		edge
		from *step
	}
	var queue []*step
	for _, e := range append(append([]edge(nil), body...), a.holds[h]...) {
		queue = append(queue, &step{edge: e})
	}
	waits := len(queue) > 0
	seen := map[resource]bool{}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at.to == h || at.to == resource(anything{}) {
			words := at.why
			for at = at.from; at != nil; at = at.from {
				words = at.why + ", whose holder " + words
			}
			return false, "it " + words
		}
		if seen[at.to] {
			continue
		}
		seen[at.to] = true
		for _, e := range a.edges[at.to] {
			queue = append(queue, &step{e, at})
		}
	}
	if !waits {
		return true, "nothing in it waits"
	}
	return true, "what it waits for does not wait for its healing lock"
}

// section lists what the section reaches.
func (a *assurance) section(s *section) []edge {
	for _, e := range s.ends {
		if e.Scope != s.entry.Scope {
			return []edge{{anything{}, "ends in another function than it begins in" + a.position(e.Pos())}}
		}
	}
	live, ok := a.live(s)
	if !ok {
		return []edge{{anything{}, "has no end that can be told" + a.position(s.entry.Pos())}}
	}
	r := a.newReach()
	if name := a.instance(s.entry, mapping{}); name != "" && !a.isMoved(s.entry, live) {
		r.own[name] = true
	}
	r.exempt[s.entry] = true
	if s.entry.Update != nil {
		r.exempt[s.entry.Update] = true
	}
	for _, n := range live {
		r.walk(n, mapping{})
	}
	return r.found
}

// live is the code that may run while the section is open. One that ends where it
// begins, or before, goes round a loop.
func (a *assurance) live(s *section) ([]ast.Node, bool) {
	body := bodyOf(s.entry.Scope)
	if body == nil {
		return nil, false
	}
	for _, e := range s.ends {
		if e == s.entry || e.Pos() < s.entry.Pos() {
			return []ast.Node{body}, true
		}
	}
	region := a.pass.newRegion(s)
	if region == nil {
		return nil, false
	}
	return region.live(), true
}

// isMoved says whether the access's expression may denote another instance later in
// the code.
func (a *assurance) isMoved(x *access.Access, code []ast.Node) bool {
	moved := false
	ast.Inspect(x.Expr, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := a.pass.info.ObjectOf(id).(*types.Var); ok && !v.IsField() && v != x.Var.Obj {
				for _, part := range code {
					moved = moved || a.isAssignedIn(v, part)
				}
			}
		}
		return !moved
	})
	return moved
}

func (a *assurance) isAssignedIn(v *types.Var, n ast.Node) bool {
	if body, ok := n.(*ast.BlockStmt); ok {
		return a.pass.isAssigned(v, body, body.Pos(), body.End())
	}
	if stmt, ok := n.(ast.Stmt); ok {
		return a.pass.isAssigned(v, &ast.BlockStmt{List: []ast.Stmt{stmt}}, stmt.Pos(), stmt.End())
	}
	return false
}

// isOpen says whether other packages can get at the field or package-level variable.
func (a *assurance) isOpen(v *types.Var) bool {
	if a.plan.pkg.Types.Name() == "main" || !v.Exported() || isLocal(v) {
		return false
	}
	owner, _, _ := strings.Cut(a.plan.accesses.Name(access.Var{Obj: v}), ".")
	return token.IsExported(owner)
}

// position says where, for reports; in a file that people keep, lines would change with
// every edit above them.
func (a *assurance) position(pos token.Pos) string {
	if a.plan.timeless {
		return ""
	}
	at := a.plan.pkg.Fset.PositionFor(pos, false)
	return fmt.Sprintf(" at %s:%d", filepath.Base(at.Filename), at.Line)
}
