package section

import (
	"go/ast"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// flaggedAround adds the flags that the functions around a literal set before it, which closes the
// channel when they are through, or later:
//
//	if s.closed.CompareAndSwap(false, true) {
//		time.AfterFunc(time.Second, func() { close(s.out) })
//	}
func (s *search) flaggedAround(c closeCall, flags map[access.Var]map[*accesses.Body]bool) {
	for b := s.body; b.Parent != nil; b = b.Parent {
		if s.shared.Constructing(b.Parent) {
			return
		}
		for _, w := range s.states[b.Parent].order {
			if isFlagSet(w) && w.place.Root == c.channel.place.Root && w.Var != c.channel.Var && w.Pos() < b.Node.Pos() {
				addFlag(flags, w.Var, b.Parent)
			}
		}
	}
}

// flaggedByMessage adds the flags that a method such as Close sets before it sends on the channel,
// where it is the receiver that closes it, when it is told so:
//
//	func (b *bus) Close() { if b.closed.CompareAndSwap(false, true) { b.orders <- stop{} } }
//	func (b *bus) run()   { for o := range b.orders { …; close(b.orders); return } }
func (s *search) flaggedByMessage(c closeCall, flags map[access.Var]map[*accesses.Body]bool) {
	if !s.receivesFrom(s.body, c.channel.Var) {
		return
	}
	for _, b := range s.pkg.Bodies {
		if b == s.body || b.Func == nil || !endings.MatchString(b.Func.Name()) {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				send, ok := ev.Node.(*ast.SendStmt)
				if !ok || ev.Kind != accesses.OnSend || s.variable(send.Chan) != c.channel.Var.Obj {
					continue
				}
				for _, w := range s.states[b].order {
					if isFlagSet(w) && w.place.Root == s.pkg.PlaceOf(send.Chan).Root && w.Pos() < send.Pos() {
						addFlag(flags, w.Var, b)
					}
				}
			}
		}
	}
}

// isFlagSet says whether the write sets a flag, or stores into an atomic what is not computed from
// its last value.
func isFlagSet(w *occurrence) bool {
	if w.Mode != atomicity.Write {
		return false
	}
	return isFlag(w.Var) || w.Kind == access.Atomic && !strings.HasPrefix(w.Method, "Add")
}

func addFlag(flags map[access.Var]map[*accesses.Body]bool, flag access.Var, b *accesses.Body) {
	if flags[flag] == nil {
		flags[flag] = map[*accesses.Body]bool{}
	}
	flags[flag][b] = true
}
