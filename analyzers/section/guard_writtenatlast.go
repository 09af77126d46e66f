package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// writtenAtLast says whether only functions write the variable, once others have it, that are called last of all, as
// their comments say:
//
//	// Close closes the store. No other methods may be called after this.
//	func (s *store) Close() error { s.mu.Lock(); defer s.mu.Unlock(); err := s.db.Close(); s.db = nil; return err }
func (s *search) writtenAtLast(v access.Var) bool {
	last := false
	for _, w := range s.ownAccesses(v) {
		if w.Mode != atomicity.Write || s.shared.SetsGoing(w.body) {
			continue
		}
		d, ok := w.body.Outermost().Node.(*ast.FuncDecl)
		if !ok || !calledLast.MatchString(d.Doc.Text()) {
			return false
		}
		last = true
	}
	return last
}

var calledLast = pattern.New(`(?i)\bno (other |further |more )?(methods?|functions?|calls?|operations?)\b[^.]*\b(may|must|can|should)\b[^.]*\bafter\b|\b(must|may|can|should) ?not be (used|accessed) after`)
