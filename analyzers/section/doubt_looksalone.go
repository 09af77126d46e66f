package section

import (
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

const oneLooks = "the variable is a local, and its function alone looks at it: no other goroutine passes the test"

// looksAlone says whether the candidate, a test and what follows from it, is about a local that no literal looks at,
// but for what is one operation with a change of it:
//
//	var failed atomic.Int32
//	for _, w := range work { wg.Go(func() { if w.do() != nil { failed.Add(1) } }) }
//	wg.Wait()
//	if failed.Load() > 0 { … }
func (s *search) looksAlone(c *Candidate) bool {
	if c.Category != "atomic-check-then-act" && c.Category != "test-and-use" || c.Variable.Obj == nil || c.Variable.Contents {
		return false
	}
	v := c.Variable.Obj
	if v.IsField() || accesses.IsGlobal(v) {
		return false
	}
	if _, pointer := v.Type().Underlying().(*types.Pointer); pointer {
		return false // others may have what it points to
	}
	around := s.around(v.Pos())
	if len(around) == 0 {
		return false
	}
	home, looks := around[len(around)-1], false
	for _, b := range s.pkg.Bodies {
		for _, o := range s.states[b].order {
			if o.Var != c.Variable || o.Mode == atomicity.Write || rmw(o.Access) {
				continue
			}
			if b != home {
				return false
			}
			looks = true
		}
	}
	return looks
}
