package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// polledAnother is the look at another channel of the receiver which alone decides about
// closing c, where the function does not close that one: it is closed by whoever ends when c
// has been, which is later.
//
//	if p.Stopped() { // polls p.stopped
//		return
//	}
//	close(p.tasks)
//	<-p.stopped
func (s *search) polledAnother(c closeCall) ast.Expr {
	fn := s.body.Func
	if c.held.Any() || fn == nil || !fn.Exported() || !endings.MatchString(fn.Name()) || fn.Signature().Recv() == nil ||
		c.channel.place.Root != types.Object(fn.Signature().Recv()) || s.recovers() {
		return nil
	}
	for block, conds := range s.body.Conds {
		if decides, _ := s.decides(block, c.block); !decides {
			continue
		}
		for _, cond := range conds {
			for a := range s.values.of(cond) {
				if o := s.occ[a]; o != nil && (rmw(a) || o.held.Any()) {
					return nil // chosen, or under a lock
				}
			}
		}
	}
	for _, other := range s.siblings(c) {
		if look := s.lookedAt(closeCall{call: c.call, channel: &occurrence{place: other}, block: c.block}); look != nil && !s.closes(other) {
			return look
		}
	}
	return nil
}

// siblings are the other channels that are fields of the object of c.
func (s *search) siblings(c closeCall) []accesses.Place {
	t := c.channel.place.Root.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var list []accesses.Place
	for f := range st.Fields() {
		if _, ok := f.Type().Underlying().(*types.Chan); ok {
			if pl := (accesses.Place{Root: c.channel.place.Root, Path: "." + f.Name()}); pl != c.channel.place {
				list = append(list, pl)
			}
		}
	}
	return list
}

// closes says whether the body, or a literal in it, closes the channel.
func (s *search) closes(ch accesses.Place) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range append([]*accesses.Body{s.body}, s.body.Lits...) {
		s.bodyState = s.states[b]
		if slices.ContainsFunc(s.closeCalls(), func(c closeCall) bool { return c.channel.place == ch }) {
			return true
		}
	}
	return false
}
