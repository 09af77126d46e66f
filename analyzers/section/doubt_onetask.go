package section

import (
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

const ofOneTask = "an object of one task, by its name: one goroutine has it"

// oneTask is how the names of types end whose objects are made for one task, a transaction,
// a walk, one text to be read, and are used by who does it, whatever locks lie in what they
// work on. One of the 871 bugs of docs/bugs.tsv is in a method of such a type, and of the
// reports in modules of others that were judged 17 were, all of them false.
var oneTask = pattern.New(`(Tx|[a-z]TX|Txn|Stmt|Statement|Iterator|Iter|Cursor|Ctx|Walker|Parser|Lexer|Decoder|Encoder)$|^(tx|txn|stmt|statement|iterator|iter|cursor|ctx|walker|parser|lexer|decoder|encoder)$`)

// inOneTask says whether the candidate is in a method of such a type, about a field of that type
// and not of what it points to, and no goroutine of the package has to do with the type.
func (s *search) inOneTask(c *Candidate) bool {
	around := s.around(c.Pos)
	if len(around) == 0 {
		return false
	}
	fn := around[0].Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil {
		return false
	}
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	return tn != nil && oneTask.MatchString(tn.Name()) && strings.HasPrefix(c.Name, tn.Name()+".") && !s.shared.Documented(tn) && !s.goroutinesUse(tn)
}

// goroutinesUse says whether a goroutine that the package starts, or a request, runs a method of the type.
func (s *search) goroutinesUse(tn *types.TypeName) bool {
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		fn := b.Outermost().Func
		if fn == nil || fn.Signature().Recv() == nil || accesses.TypeName(fn.Signature().Recv().Type()) != tn {
			return false
		}
		return s.shared.Spawned(b) || s.shared.Launched(b)
	})
}
