package section

import (
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// namedForAnother says whether the name of the lock tells that it is for another field of its object than
// the variable: historyMutex beside history. Who holds it while something else is done means
// nothing by that.
func (s *search) namedForAnother(lock accesses.Place, v access.Var) bool {
	field := lock.Field()
	if field == nil {
		return false
	}
	stem := lockSuffix.Regexp().ReplaceAllString(field.Name(), "")
	if len(stem) < 4 || stem == field.Name() || strings.Contains(strings.ToLower(v.Obj.Name()), strings.ToLower(stem)) {
		return false
	}
	owner := s.shared.Owner(field)
	if owner == nil {
		return false
	}
	for _, f := range accesses.Fields(owner.Type()) {
		if f != field && types.Object(f) != types.Object(v.Obj) && (strings.EqualFold(f.Name(), stem) || strings.EqualFold(f.Name(), stem+"s")) {
			return true
		}
	}
	return false
}

var lockSuffix = pattern.New(`(?i)_?(rw)?(mutex|mtx|mu|lock|lck)$`)

// readsForAnother says whether all locks that are held are such ones.
func (s *search) readsForAnother(held locks.Set, v access.Var) bool {
	for l := range held {
		if !s.namedForAnother(l, v) {
			return false
		}
	}
	return len(held) > 0
}
