package section

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Interleavings is the Analyzer that pairs each access with those that come next
// (papers/001 section 4.2). Its result, []*Candidate, is for atomicity.yaml
// alone: nothing tells of a pair whether anybody relies on it, before runs have
// been judged.
var Interleavings = &analysis.Analyzer{
	Name:             "interleaving",
	Doc:              docs.Extract(doc, "interleaving"),
	URL:              docs.URL("section"),
	Requires:         []*analysis.Analyzer{Effects, Analyzer},
	Run:              guard.Run(findInterleavings),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[[]*Candidate](),
}

// maxPairs bounds the sections that one function gets, those that come first in
// it.
const maxPairs = 32

func findInterleavings(pass *analysis.Pass) (any, error) {
	s := pass.ResultOf[Effects].(*search)
	s.mu.Lock()
	defer s.mu.Unlock()
	known := map[[2]*access.Access]bool{} // pairs of another pattern
	ids := map[[2]string]int{}
	for _, c := range pass.ResultOf[Analyzer].([]*Candidate) {
		if c.Section == nil {
			continue
		}
		ids[[2]string{c.Section.Function, c.Name}]++
		for _, end := range c.Ends {
			known[[2]*access.Access{c.Entry, end}] = true
		}
	}
	var found []*Candidate
	inFunction := map[*access.Function]int{}
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		if s.bodyState == nil {
			continue
		}
		for _, e := range s.order {
			if e.via != nil || e.inner || e.Ordinal == 0 || !e.place.Valid() || inFunction[b.Fn] >= maxPairs {
				continue
			}
			c := s.pair(e, known)
			if c == nil {
				continue
			}
			inFunction[b.Fn]++
			k := [2]string{c.Section.Function, c.Name}
			ids[k]++
			c.Section.ID = atomicity.SectionID(k[0], k[1], ids[k])
			found = append(found, c)
		}
	}
	return found, nil
}

// pair is the section from e to the next accesses to the same instance on every
// path, or nil if there is none that others could break. What runs in one
// critical section with e is left out, and so is a loop that comes back to e
// itself: it mostly waits for others.
func (s *search) pair(e *occurrence, known map[[2]*access.Access]bool) *Candidate {
	if s.reachOf(e) == shared.Private || s.alone(e) {
		return nil
	}
	rivals, _, evidence := s.rivals(e.Var)
	if !rivals {
		return nil
	}
	c := &Candidate{
		Package:  s.pkg.Types.Path(),
		Variable: e.Var,
		Name:     s.pkg.Name(e.Var),
		Type:     types.TypeString(e.Var.Obj.Type(), types.RelativeTo(s.pkg.Types)),
		Pattern:  atomicity.AccessInterleaving,
		Analyzer: "interleaving",
		Entry:    e.Access,
		Shared:   true,
		Evidence: evidence,
		Pos:      e.Pos(),
	}
	c.Section = &atomicity.Section{
		Pattern:  atomicity.AccessInterleaving,
		Function: e.Func.Name,
		Entry:    s.pkg.Location(e.Access),
		Origin:   "interleaving",
		Status:   atomicity.Candidate,
	}
	protected := true
	next := func(o *occurrence, kept locks.Set) {
		if o == e || o.via != nil || o.Func != e.Func || o.inner || o.Ordinal == 0 || o.key != e.key || rmw(o.Access) || known[[2]*access.Access{e.Access, o.Access}] {
			return
		}
		protected = protected && protects(kept, o.Mode == atomicity.Write || e.Mode == atomicity.Write)
		if slices.Contains(c.Ends, o.Access) {
			return
		}
		c.Ends = append(c.Ends, o.Access)
		c.Section.Ends = append(c.Section.Ends, atomicity.End{Location: s.pkg.Location(o.Access), Allow: serializable(e.Mode, o.Mode)})
	}
	s.onward(e, func(_, _ int, ev accesses.Event, kept locks.Set) bool {
		switch ev.Kind {
		case accesses.OnAssign:
			return s.rebinds(ev.Node, e)
		case accesses.OnCall:
			for _, o := range s.calls[ev.Node.(*ast.CallExpr)] {
				if o.sameInstance(e) && !o.later {
					next(o, kept)
					return true
				}
			}
		case accesses.OnAccess:
			if o := s.occ[ev.Access]; o != nil && o.sameInstance(e) {
				next(o, kept)
				return true
			}
		}
		return false
	})
	if len(c.Ends) == 0 || protected {
		return nil
	}
	c.EndPos = c.Ends[0].Pos()
	return c
}

// serializable is the set A for an entry and an end of the given modes: what may
// come between them, by the table of unserialisable interleavings in papers/001
// section 4.2 (read-write-read, write-write-read, write-read-write and
// read-write-write are not).
func serializable(entry, end atomicity.AccessSet) atomicity.AccessSet {
	if entry == atomicity.Write && end == atomicity.Write {
		return atomicity.Write
	}
	return atomicity.Read
}
