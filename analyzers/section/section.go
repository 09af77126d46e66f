package section

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Analyzer computes the []*Candidate of a package, sorted by position.
var Analyzer = &analysis.Analyzer{
	Name:             "section",
	Doc:              docs.Extract(doc, "section"),
	URL:              docs.URL("section"),
	Requires:         []*analysis.Analyzer{accesses.Analyzer, locks.Analyzer, shared.Analyzer},
	Run:              run,
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[[]*Candidate](),
}

// search is the state of the search in one body.
type search struct {
	pass   *analysis.Pass
	pkg    *accesses.Package
	locks  *locks.Result
	shared *shared.Result

	body   *accesses.Body
	values *values
	occ    map[*access.Access]*occurrence
	order  []*occurrence
	reach  map[[2]int][]bool
	found  []*Candidate
}

func run(pass *analysis.Pass) (any, error) {
	s := &search{
		pass:   pass,
		pkg:    pass.ResultOf[accesses.Analyzer].(*accesses.Package),
		locks:  pass.ResultOf[locks.Analyzer].(*locks.Result),
		shared: pass.ResultOf[shared.Analyzer].(*shared.Result),
	}
	if implementsSync(pass.Pkg.Path()) {
		return []*Candidate(nil), nil
	}
	traced := map[*access.Function]*values{}
	for _, b := range s.pkg.Bodies {
		if traced[b.Fn] == nil {
			traced[b.Fn] = newValues(s.pkg, b.Fn)
		}
		s.body, s.values = b, traced[b.Fn]
		s.enter()
		for _, e := range s.order {
			if e.Mode == atomicity.Read {
				s.from(e)
			}
		}
	}
	slices.SortStableFunc(s.found, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.EndPos, b.EndPos))
	})
	s.number()
	return s.found, nil
}

// implementsSync says whether the package is where Go's synchronisation comes
// from: what it does with atomics is not to be judged by the rules for its
// users.
func implementsSync(path string) bool {
	switch path {
	case "sync", "internal/sync", "runtime", "internal/poll":
		return true
	}
	return strings.HasPrefix(path, "sync/") || strings.HasPrefix(path, "runtime/internal/") || strings.HasPrefix(path, "internal/runtime/")
}

// enter lists the accesses of the body.
func (s *search) enter() {
	s.occ = map[*access.Access]*occurrence{}
	s.order = s.order[:0:0]
	s.reach = map[[2]int][]bool{}
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		a := ev.Access
		if a == nil || a.Cell == nil {
			return
		}
		o := &occurrence{Access: a, block: block, index: index, held: held, place: s.pkg.PlaceOf(a.Cell)}
		if a.Key != nil {
			o.key = types.ExprString(a.Key)
		} else if a.Kind == access.MapWhole {
			o.key = "*"
		}
		s.occ[a] = o
		s.order = append(s.order, o)
	})
}

// number gives every section its id.
func (s *search) number() {
	n := map[[2]string]int{}
	for _, c := range s.found {
		if c.Section == nil {
			continue
		}
		k := [2]string{c.Section.Function, c.Name}
		n[k]++
		c.Section.ID = atomicity.SectionID(c.Section.Function, c.Name, n[k])
	}
}
