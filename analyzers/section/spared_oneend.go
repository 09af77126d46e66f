package section

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// oneEnd says whether the function is one end of a structure without locks, of which one
// goroutine has this end, such as the consumer of a queue with many producers: it moves
// two or more atomic variables on (a constant is a state, not a place), none of which is ever changed but by a Store, while
// others of the same object are changed by CompareAndSwap.
func (f *finding) oneEnd() bool {
	fn := f.body.Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil {
		return false
	}
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	if tn == nil || lockField(tn.Type()) {
		return false
	}
	moved := map[access.Var]bool{}
	for _, o := range f.order {
		if o.Kind != access.Atomic || o.Mode != atomicity.Write || o.via != nil {
			continue
		}
		if f.contested()[o.Var] {
			return false
		}
		if f.setTo(o) == nil {
			moved[o.Var] = true
		}
	}
	if len(moved) < 2 {
		return false
	}
	for v := range f.contested() {
		if f.shared.Owner(v.Obj) == tn {
			return true
		}
	}
	return false
}

// contested are the atomic variables that some function changes otherwise than by a
// Store: several goroutines are meant to change them.
func (s *search) contested() map[access.Var]bool {
	if s.contests != nil {
		return s.contests
	}
	s.contests = map[access.Var]bool{}
	for _, b := range s.pkg.Bodies {
		for _, o := range s.states[b].order {
			if o.Kind == access.Atomic && o.Mode == atomicity.Write && o.via == nil && !strings.HasPrefix(o.Method, "Store") {
				s.contests[o.Var] = true
			}
		}
	}
	return s.contests
}

var (
	randomNames    = pattern.New(`^(?i:rand)|Rand([^a-z]|om|$)|(?i:uuid|ulid|nuid|ksuid)`)
	randomPackages = pattern.New(`(^|/)(rand|uuid|ulid|nuid|ksuid|xid)(/v\d+)?$`)
)

// randomKey says whether the entry of the map that the end writes stands under a key
// that the function has drawn at random from so many that nobody else has the same.
func (f *finding) randomKey(end *hit) bool {
	key := end.Key
	if end.via != nil {
		key = nil
		if len(end.via.Args) > 0 {
			key = end.via.Args[0]
		}
	}
	id, ok := key.(*ast.Ident)
	if !ok {
		return false
	}
	list := f.values.assigns[f.pkg.Info.ObjectOf(id)]
	drawn := 0
	for _, d := range list {
		if tv := f.pkg.Info.Types[d.value]; tv.Value != nil {
			continue // the zero value that it is declared with
		}
		found := false
		ast.Inspect(d.value, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if fn := f.locks.Callee(call); fn != nil && f.random(fn) {
					found = true
				}
			}
			return !found
		})
		if !found || f.drawnFromFew(d.value) {
			return false
		}
		drawn++
	}
	return drawn > 0
}

func (f *finding) random(fn *types.Func) bool {
	return randomNames.MatchString(fn.Name()) || fn.Pkg() != nil && randomPackages.MatchString(fn.Pkg().Path())
}
