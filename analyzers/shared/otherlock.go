package shared

import "github.com/atomrace/atomrace/analyzers/accesses"

// OthersHold is the class of the lock that all functions but b's hold whenever they access
// the variable, two of them at least, one of which writes it or, where b does, reads it; or
// "". It is less than Rule asks for, and enough where b takes a lock itself.
func (u *Use) OthersHold(b *accesses.Body, writes bool) string {
	if u == nil || u.elsewhere.unguarded > 0 || u.elsewhere.bodies > 0 {
		return ""
	}
	own := b.Outermost()
	others := map[*accesses.Body]bool{}
	for o := range u.bodies {
		if o.Outermost() == own {
			continue
		}
		if u.Unguarded[o] || !u.Guarded[o] {
			return ""
		}
		others[o.Outermost()] = true
		writes = writes || u.GuardedWrite[o]
	}
	if len(others) < 2 || !writes {
		return ""
	}
	rule := ""
	for class, holders := range u.under {
		all := true
		for o := range u.bodies {
			all = all && (o.Outermost() == own || holders[o])
		}
		if all && (rule == "" || class < rule) {
			rule = class
		}
	}
	return rule
}
