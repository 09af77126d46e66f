package section

import (
	"go/token"
	"go/types"
)

// reaching are the definitions of the local obj that its use at the position can see: those
// before it, back to one that lies on every way there, and those that a loop around it
// carries to the next turn. whole says whether there is such a one, so that what a parameter
// was given, or another function has stored, is gone.
func (v *values) reaching(obj types.Object, at token.Pos) (list []assignment, whole bool) {
	use, all := v.pkg.Order(at), v.assigns[obj]
	last := token.NoPos
	for i := len(all) - 1; i >= 0 && !whole; i-- {
		d := all[i]
		if d.at > use {
			continue
		}
		list = append(list, d)
		if whole = !d.onto && d.from <= use && use < d.to; whole {
			last = d.at
		}
	}
	for _, d := range all {
		if d.at > use && v.comesRound(d, use, last) {
			list = append(list, d)
		}
	}
	return list, whole
}

// comesRound says whether a loop around both the definition and the use, and not around the
// one at last, which would come in between, takes the definition to the use.
func (v *values) comesRound(d assignment, use, last token.Pos) bool {
	for _, loop := range v.loops {
		from, to := v.pkg.Order(loop.Pos()), v.pkg.Order(loop.End()-1)+1
		if from <= use && use < to && from <= d.at && d.at <= to && !(from <= last && last <= to) {
			return true
		}
	}
	return false
}
