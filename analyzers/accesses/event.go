package accesses

import (
	"cmp"
	"go/ast"
	"go/token"
	"math"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// EventKind says what an Event is.
type EventKind uint8

const (
	OnAccess  EventKind = iota // Access is made
	OnCall                     // Node, an *ast.CallExpr, is called; its operands are evaluated
	OnGo                       // Node is an *ast.GoStmt
	OnDefer                    // Node is an *ast.DeferStmt
	OnSend                     // Node is an *ast.SendStmt
	OnReceive                  // Node is an *ast.UnaryExpr with token.ARROW
	OnReturn                   // Node is an *ast.ReturnStmt, perhaps the implicit one
	OnAssign                   // Node is an *ast.AssignStmt, *ast.IncDecStmt or *ast.ValueSpec that is complete
)

// An Event is one step of a body that matters to atomicity.
type Event struct {
	Kind   EventKind
	Node   ast.Node
	Access *access.Access
}

// Pos is the place of the event in the source.
func (e Event) Pos() token.Pos {
	if e.Access != nil {
		return e.Access.Pos()
	}
	return e.Node.Pos()
}

// order fills b.Events and b.Conds.
func (p *Package) order(b *Body, accesses []*access.Access) {
	byExpr := map[ast.Expr][]*access.Access{}
	for _, a := range accesses {
		byExpr[a.Expr] = append(byExpr[a.Expr], a)
	}
	switches := map[*ast.CaseClause]*ast.SwitchStmt{}
	inspectBody(b.Block, func(n ast.Node) {
		if s, ok := n.(*ast.SwitchStmt); ok && s.Body != nil {
			for _, c := range s.Body.List {
				if c, ok := c.(*ast.CaseClause); ok {
					switches[c] = s
				}
			}
		}
	})
	b.Events = make([][]Event, len(b.CFG.Blocks))
	b.Conds = make([][]ast.Expr, len(b.CFG.Blocks))
	done := map[*access.Access]bool{}
	for _, block := range b.CFG.Blocks {
		var events []Event
		for i, n := range block.Nodes {
			events = append(events, eventsOf(n, byExpr, done)...)
			if ret, ok := n.(*ast.ReturnStmt); ok {
				p.plainReturn(ret, block.Nodes[:i])
			}
		}
		b.Events[block.Index] = events
		b.Conds[block.Index] = p.condition(block, switches)
	}
}

// condition lists the expressions that decide which successor block takes.
func (p *Package) condition(block *cfg.Block, switches map[*ast.CaseClause]*ast.SwitchStmt) []ast.Expr {
	if len(block.Succs) < 2 || len(block.Nodes) == 0 {
		return nil
	}
	cond, ok := block.Nodes[len(block.Nodes)-1].(ast.Expr)
	if !ok {
		return nil
	}
	then := block.Succs[0]
	switch then.Kind {
	case cfg.KindIfThen, cfg.KindForBody:
		return []ast.Expr{p.named(p.plain(cond, false), block.Nodes[:len(block.Nodes)-1])}
	case cfg.KindSwitchCaseBody:
		clause, _ := then.Stmt.(*ast.CaseClause)
		if s := switches[clause]; s != nil && s.Tag != nil {
			return []ast.Expr{cond, s.Tag}
		}
		return []ast.Expr{p.named(p.plain(cond, false), block.Nodes[:len(block.Nodes)-1])}
	}
	return nil
}

// atEnd orders a step after all operands of its statement.
const atEnd = token.Pos(math.MaxInt)

// step is an event with its place in the evaluation of one statement.
type step struct {
	Event
	at   token.Pos
	rank int
}

// eventsOf orders the events of one node of the graph: operands before the
// operations on them, stores after everything else in their statement.
func eventsOf(n ast.Node, byExpr map[ast.Expr][]*access.Access, done map[*access.Access]bool) []Event {
	var steps []step
	add := func(kind EventKind, n ast.Node, at token.Pos, rank int) {
		steps = append(steps, step{Event{Kind: kind, Node: n}, at, rank})
	}
	var launched *ast.CallExpr // the call of a go or defer statement happens elsewhere
	inspectBody(n, func(n ast.Node) {
		if e, ok := n.(ast.Expr); ok {
			for _, a := range byExpr[e] {
				if done[a] {
					continue
				}
				done[a] = true
				s := step{Event{Kind: OnAccess, Node: e, Access: a}, e.End(), 0}
				if a.Mode == atomicity.Write && a.Method == "" {
					s.at, s.rank = atEnd, 1
				}
				steps = append(steps, s)
			}
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			launched = n.Call
			add(OnGo, n, n.End(), 3)
		case *ast.DeferStmt:
			launched = n.Call
			add(OnDefer, n, n.End(), 3)
		case *ast.CallExpr:
			if n != launched {
				add(OnCall, n, n.End(), 1)
			}
		case *ast.SendStmt:
			add(OnSend, n, n.End(), 2)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				add(OnReceive, n, n.End(), 1)
			}
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.ValueSpec:
			add(OnAssign, n, atEnd, 2)
		case *ast.ReturnStmt:
			add(OnReturn, n, atEnd, 3)
		}
	})
	slices.SortStableFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
	})
	events := make([]Event, len(steps))
	for i, s := range steps {
		events[i] = s.Event
	}
	return events
}

// inspectBody visits n and what is below it, but not the inside of function
// literals.
func inspectBody(n ast.Node, visit func(ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		visit(n)
		return true
	})
}
