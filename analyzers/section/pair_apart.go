package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// reporting are the names of functions that tell people about a value: one of an earlier
// moment does no harm there.
var reporting = pattern.New(`(?i)log|print|debug|info|warn|error|fatal|trace|string|format|report|metric|gauge|stat|observe|record|assert|expect|equal|require`)

// readApart finds two variables that are read in two critical sections, mostly by a getter
// each, and handed on to one call, where others change both in one: a name and its password
// of two moments. Numbers that are counted up tell of different moments anyway.
func (s *search) readApart(e *occurrence) {
	if e.Kind != access.Cell || e.Var.Contents || e.lit || isFlag(e.Var) || s.shared.Constructing(s.body) {
		return
	}
	done := false
	s.later(e, func(o *occurrence) {
		if done || o.Mode != atomicity.Read || o.Kind != access.Cell || o.Var.Contents || o.lit || isFlag(o.Var) || s.awaits(e, o) {
			return
		}
		writer := s.changesBoth(e.Var, o.Var)
		if writer == nil || writer.Outermost() == s.body.Outermost() || s.handledIn(e, o, atomicity.Read) || !s.usedTogether(e, o) {
			return
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, e.Var, map[*accesses.Body]bool{writer: true}); !strong {
			return
		}
		done = true
		c := s.direct("multivar", "multi-variable", e.source(), e.Pos(), o.Pos())
		c.Via, c.EndVia = e.via, o.via
		c.EndName = s.pkg.Name(o.source().Var)
		c.Roles = [2]string{"read", "read later"}
		c.Message = fmt.Sprintf("%s and %s are read in two critical sections and used together; %s changes both in one, and can come in between",
			s.pkg.Name(e.Var), s.pkg.Name(o.Var), writer.Fn.Name)
		s.tell(c, e, o.source())
	})
}

// changesBoth is a body that gives both variables new values in one critical section, other
// than constants, where one of them is never changed without the other. The second one may be
// the version of the first.
func (s *search) changesBoth(a, b access.Var) *accesses.Body {
	c := s.couplings()[couple{a, b}]
	if c == nil || !s.neverAlone(a, c) && !s.neverAlone(b, c) {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, body := range s.pkg.Bodies {
		if !c.written[body] || s.shared.Constructing(body) {
			continue
		}
		s.bodyState = s.states[body]
		if s.givesNew(a) && (s.givesNew(b) || s.countsVersion(b) && !isNumber(a)) {
			return body
		}
	}
	return nil
}

// countsVersion says whether the body does nothing with the variable but to count it up by one,
// as it does with the version of something else. Who reads the version last takes what it has read
// before for newer than it is; the other way round it is looked at once more.
func (s *search) countsVersion(v access.Var) bool {
	found := false
	for _, w := range s.order {
		if w.Var != v || w.Mode != atomicity.Write {
			continue
		}
		if _, ok := w.source().Stmt.(*ast.IncDecStmt); !ok || direction(w) < 0 {
			return false
		}
		found = true
	}
	return found && !tallies.MatchString(v.Obj.Name())
}

// tallies are the names of what is counted for its own sake.
var tallies = pattern.New(`(?i)^n$|num|count|total|calls|hits|miss|stat|size|len|tries|attempts|sent|received|processed|dropped|updates|changes|writes|reads`)

// neverAlone says whether all who write the variable write the other one with it.
func (s *search) neverAlone(v access.Var, c *coupling) bool {
	for b := range s.writers[v] {
		if !c.written[b] && !s.shared.Constructing(b) {
			return false
		}
	}
	return true
}

// givesNew says whether the body stores something other than a constant in the variable,
// and does not count it up.
func (s *search) givesNew(v access.Var) bool {
	found := false
	for _, w := range s.order {
		if w.Var != v || w.Mode != atomicity.Write || w.via != nil {
			continue
		}
		if w.Update != nil {
			return false
		}
		for _, e := range stored(w.Access) {
			tv := s.pkg.Info.Types[e]
			found = found || tv.Value == nil && !tv.IsNil()
		}
	}
	return found
}

// usedTogether says whether what the two have read goes into one call, as two arguments,
// into one object, as two of its fields, or out of the function, as two results; or the one
// is an argument in a loop that the other one bounds.
func (s *search) usedTogether(e, o *occurrence) bool {
	found := false
	comes := func(x ast.Expr, from *occurrence) bool {
		_, ok := s.values.of(x)[from.Access]
		return ok
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if found {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			if fn := s.locks.Callee(n); reporting.MatchString(types.ExprString(n.Fun)) || fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "fmt" {
				return false
			}
			found = s.apartIn(n.Args, e, o)
		case *ast.CompositeLit:
			found = s.putTogether(n, e, o)
		case *ast.ReturnStmt:
			found = !s.tellsPeople() && s.apartIn(n.Results, e, o)
		case *ast.ForStmt:
			if n.Cond == nil {
				return true
			}
			for _, way := range [][2]*occurrence{{e, o}, {o, e}} {
				if isNumber(e.Var) && isNumber(o.Var) && comes(n.Cond, way[0]) && !comes(n.Cond, way[1]) {
					found = found || s.handedIn(n.Body, way[1])
				}
			}
		}
		return !found
	})
	return found || s.filledTogether(e, o)
}

// figures are the names of types that have figures to be shown; a View or a Page may be more.
var figures = pattern.New(`(?i)stat(s|us|istics?)?$|info$|summary|health|progress|snapshot|diagnos|metric|gauge|report|dump|debug|log|print|trace|observ|record|expect`)

// tellsPeople says whether the body is of a function that by its name, or that of its type,
// returns a picture for people.
func (s *search) tellsPeople() bool {
	owner, name, ok := strings.Cut(s.body.Fn.Name, ").")
	if !ok {
		owner, name = "", s.body.Fn.Name
	}
	return pictures.MatchString(name) || reporting.MatchString(name) || figures.MatchString(owner)
}

// handedIn says whether what o has read is the argument of a call in the block.
func (s *search) handedIn(block *ast.BlockStmt, o *occurrence) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !reporting.MatchString(types.ExprString(call.Fun)) {
			for _, x := range call.Args {
				_, from := s.values.of(x)[o.Access]
				found = found || from
			}
		}
		return !found
	})
	return found
}

func isNumber(v access.Var) bool {
	b, ok := v.Obj.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}
