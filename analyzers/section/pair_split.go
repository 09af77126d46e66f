package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A section over two variables that belong together (atomicity.Section.With) is proposed
// where nobody else can handle one of them without the other: then whatever comes in
// between meets a state that should not be.

// split finds two variables that one step of a body updates, as a sum and its count, in
// two critical sections of which one follows directly upon the other, while all others
// handle both in one. It is for the run time to say whether somebody looks in between.
func (s *search) split() {
	for _, e := range s.order {
		if !s.isTally(e) || s.reachOf(e) == shared.Private || s.alone(e) {
			continue
		}
		s.later(e, func(o *occurrence) {
			if !s.isTally(o) || !s.directly(e, o) || !s.canJoin(e, o) {
				return
			}
			others, together := s.handlers(e, o, atomicity.ReadWrite)
			_, strong, evidence := s.shared.RivalsAmong(s.body, e.Var, others)
			if !strong || !together || s.shared.Constructing(s.body) {
				return
			}
			c := s.direct("multivar", "multi-variable", e.Update, e.Pos(), o.Pos())
			c.Pattern, c.Evidence = atomicity.LoadAndStore, evidence
			c.Message = fmt.Sprintf("%s and %s are updated in two critical sections, one directly after the other; all others handle both in one, and can see the first without the second", e.place, o.place)
			s.join(c, o, 0)
			s.found = append(s.found, c)
		})
	}
}

// isTally says whether the write adds to a number, or takes away from it, under the
// lock of its object.
func (s *search) isTally(o *occurrence) bool {
	if o.Mode != atomicity.Write || o.via != nil || o.Kind != access.Cell || o.Update == nil || o.Stmt == nil ||
		!o.place.Valid() || !o.Var.Obj.IsField() || !s.ownLockOf(o, o.held) {
		return false
	}
	if assign, ok := o.Stmt.(*ast.AssignStmt); ok && assign.Tok != token.ADD_ASSIGN && assign.Tok != token.SUB_ASSIGN {
		return false
	}
	b, ok := o.Var.Obj.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// directly says whether between the two statements, of one list, nothing is done but
// giving locks back and taking them.
func (s *search) directly(e, o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		i, j := slices.Index(list, e.Stmt), slices.Index(list, o.Stmt)
		if i >= 0 && j > i {
			found = !slices.ContainsFunc(list[i+1:j], func(between ast.Stmt) bool {
				_, isCall := between.(*ast.ExprStmt)
				return !isCall
			})
		}
		return !found
	})
	return found && !s.meanwhile(e.Stmt.End(), o.Stmt.Pos(), func(ev accesses.Event, _ locks.Set) bool {
		return len(s.locks.Ops(ev)) == 0
	})
}

// canJoin says whether a section can be over the two variables: fields of one type, at
// which no other package gets.
func (s *search) canJoin(e, o *occurrence) bool {
	first, _, _ := strings.Cut(s.pkg.Name(e.Var), ".")
	other, _, _ := strings.Cut(s.pkg.Name(o.Var), ".")
	if first != other || e.place.Root != o.place.Root || e.source().Func != o.source().Func {
		return false
	}
	for _, x := range []*occurrence{e, o} {
		if x.Kind != access.Cell || x.via != nil || x.Var.Contents || x.Var.Obj.Exported() && s.pkg.Types.Name() != "main" {
			return false
		}
		if _, err := access.FindMember(s.pkg.Types, s.pkg.Name(x.Var)); err != nil {
			return false
		}
	}
	return true
}

// handlers are the others who access the two variables in one of the modes; together
// says whether each of them does so in critical sections in which it accesses both in
// that mode, and the function at hand handles them once.
func (s *search) handlers(e, o *occurrence, modes atomicity.AccessSet) (others map[*accesses.Body]bool, together bool) {
	own := s.body.Outermost()
	current := s.bodyState
	defer func() { s.bodyState = current }()
	others = map[*accesses.Body]bool{}
	for _, b := range s.pkg.Bodies {
		if s.bodyState = s.states[b]; s.shared.Constructing(b) {
			continue
		}
		for _, x := range s.order {
			if x.via != nil || x.inner || x.Var != e.Var && x.Var != o.Var || s.reachOf(x) == shared.Private || s.alone(x) {
				continue
			}
			if b.Outermost() == own {
				if !slices.Contains([]*access.Access{e.Access, e.Update, o.Access, o.Update}, x.Access) {
					return nil, false
				}
				continue
			}
			if x.Mode&modes == 0 {
				continue
			}
			other := e.Var
			if x.Var == e.Var {
				other = o.Var
			}
			both := false
			for _, set := range s.holdsOf(b) {
				both = both || slices.Contains(set[x.Var], x) &&
					slices.ContainsFunc(set[other], func(y *occurrence) bool { return y.Mode == x.Mode })
			}
			if !both {
				return nil, false
			}
			others[b] = true
		}
	}
	return others, true
}

// join gives the candidate a section over its variable and that of o, where it ends;
// allow is what others may do in between.
func (s *search) join(c *Candidate, o *occurrence, allow atomicity.AccessSet) {
	end := o.source()
	c.Ends, c.EndName = []*access.Access{end}, s.pkg.Name(end.Var)
	if c.Entry.Ordinal == 0 || end.Ordinal == 0 || c.Entry.Func != end.Func {
		return
	}
	c.Section = &atomicity.Section{
		Pattern:  c.Pattern,
		Function: c.Entry.Func.Name,
		With:     []string{c.EndName},
		Entry:    s.pkg.Location(c.Entry),
		Ends:     []atomicity.End{{Variable: c.EndName, Location: s.pkg.Location(end), Allow: allow}},
		Origin:   c.Analyzer,
		Status:   atomicity.Candidate,
	}
}
