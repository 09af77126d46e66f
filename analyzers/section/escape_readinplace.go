package section

import (
	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// readInPlace is, for a write o to an object that was found in a container under its lock
// and is still in there, a read of the same field by another function that finds such
// objects, where all others access the field with a lock of the class of l held.
func (s *search) readInPlace(o, src *occurrence, l accesses.Place) (*occurrence, *access.Function) {
	class := locks.ClassOf(l)
	if o.Mode != atomicity.Write || src.held[l] == locks.Possible || l.Root == nil || l.Root != src.place.Root && !accesses.IsGlobal(l.Root) || s.rewrites(src) {
		return nil, nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	var reader placed
	for _, k := range s.ownAccesses(o.Var) {
		s.bodyState = s.states[k.body]
		if k.body.Outermost() == current.body.Outermost() || s.reachOf(k.occurrence) == shared.Private {
			continue
		}
		if !k.lockOf(class).Valid() {
			if s.reachOf(k.occurrence) <= shared.Unknown {
				continue // perhaps of an object that was taken out
			}
			return nil, nil
		}
		if reader.occurrence == nil && k.Mode == atomicity.Read && s.isMember(k.Cell, k.occurrence, 0) {
			reader = k
		}
	}
	s.bodyState = current
	if reader.occurrence == nil {
		return nil, nil
	}
	if _, strong, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{reader.body: true}); !strong {
		return nil, nil
	}
	return reader.occurrence, reader.body.At(reader.Pos())
}
