package shared

import (
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// Rule is the class of the lock that all functions but b's hold whenever they
// access the variable, for reading and writing, or "" if there is none: three of
// them at least, one of which writes it, or two that do. Besides three of them there may be
// one that holds it for some of its reads alone, as where it says afterwards what it has found.
func (u *Use) Rule(b *accesses.Body) string { return u.ruleOf(b, 3) }

// KeptInPart says whether a function other than b's holds a lock for some of its accesses alone.
func (u *Use) KeptInPart(b *accesses.Body) bool {
	if u == nil {
		return false
	}
	for o := range u.bodies {
		if o.Outermost() != b.Outermost() && u.Unguarded[o] && u.Guarded[o] {
			return true
		}
	}
	return false
}

// RuleOfTwo is Rule where a function that writes the variable and one that reads it are enough.
func (u *Use) RuleOfTwo(b *accesses.Body) string { return u.ruleOf(b, 2) }

// ruleOf is Rule where n functions are enough, one of which writes it.
func (u *Use) ruleOf(b *accesses.Body, n int) string {
	if u == nil || u.elsewhere.unguarded > 0 {
		return ""
	}
	own := b.Outermost()
	others, writes := 0, 0
	var half *accesses.Body
	for o := range u.bodies {
		if o.Outermost() == own {
			continue
		}
		if u.Unguarded[o] && u.Guarded[o] && !u.Writes[o] && half == nil {
			half = o
			continue
		}
		others++
		if u.GuardedWrite[o] {
			writes++
		}
		if u.Unguarded[o] || !u.Guarded[o] {
			return ""
		}
	}
	if half != nil && others < 3 {
		return ""
	}
	if others < 2 || writes == 0 || others < n && writes < 2 {
		return ""
	}
	rule := ""
	for class, holders := range u.under {
		held := 0
		for o := range holders {
			if o.Outermost() != own && o != half {
				held++
			}
		}
		if held == others && (rule == "" || class < rule) {
			rule = class
		}
	}
	return rule
}

// HeldByOthers is the class of a lock, of whatever object, that all functions but b's hold when they access the
// variable, as for Rule, or that of one which it is a part of; or "". Those of which only their callers hold a lock say nothing.
func (u *Use) HeldByOthers(b *accesses.Body) string {
	if u == nil || u.elsewhere.bodies > 0 {
		return ""
	}
	rule := ""
	for class := range u.under {
		others, writes := 0, 0
		for o := range u.bodies {
			switch {
			case o.Outermost() == b.Outermost():
			case u.Unguarded[o]:
				return ""
			case u.holds(o, class):
				others++
				if u.Writes[o] {
					writes++
				}
			case u.holds(o, ""):
				others, writes = 0, -len(u.bodies) // another one
			}
		}
		if (writes > 1 || writes == 1 && others > 2) && (rule == "" || class < rule) {
			rule = class
		}
	}
	return rule
}

// holds says whether the body holds a lock of the class to access the variable, perhaps one that is embedded in something; or, if the
// class is "", any one.
func (u *Use) holds(b *accesses.Body, class string) bool {
	name := class[strings.LastIndexByte(class, '/')+1:]
	name = name[strings.IndexByte(name, '.')+1:]
	for c, bodies := range u.under {
		if bodies[b] && (class == "" || c == class || strings.HasSuffix(c, "."+name)) {
			return true
		}
	}
	return false
}

// OwnRule is the class of the lock under which b's function accesses the variable in
// another place and all other functions do whenever they access it, of which there is one
// at least, and one of all these writes it; or "".
func (u *Use) OwnRule(b *accesses.Body) string {
	if u == nil || u.elsewhere.unguarded > 0 || u.elsewhere.bodies > 0 {
		return ""
	}
	own := b.Outermost()
	rule := ""
	for class, holders := range u.under {
		mine, others, writes, all := false, 0, 0, true
		for o := range u.bodies {
			if o.Outermost() != own {
				others++
			}
			switch {
			case o.Outermost() == own:
				mine = mine || holders[o]
				if u.GuardedWrite[o] {
					writes++
				}
			case u.Unguarded[o] || !holders[o]:
				all = false
			case u.GuardedWrite[o]:
				writes++
			}
		}
		if mine && all && writes > 0 && others > 0 && (rule == "" || class < rule) {
			rule = class
		}
	}
	return rule
}

// GuardedOtherwise says whether functions other than b's access the variable with
// locks held, and never with one of the class of those given.
func (u *Use) GuardedOtherwise(b *accesses.Body, held locks.Set) bool {
	others := false
	for class, bodies := range u.under {
		for o := range bodies {
			if o.Outermost() == b.Outermost() {
				continue
			}
			others = true
			for l := range held {
				if locks.ClassOf(l) == class {
					return false
				}
			}
		}
	}
	return others
}

// AlwaysUnder says whether functions other than b's access the variable, and all of them
// with a lock of the class held.
func (u *Use) AlwaysUnder(b *accesses.Body, class string) bool {
	if u == nil || u.elsewhere.bodies > 0 {
		return false
	}
	others := false
	for o := range u.bodies {
		if o.Outermost() == b.Outermost() {
			continue
		}
		others = true
		if !u.under[class][o] {
			return false
		}
	}
	return others
}

// WritersHold says whether all functions that write the variable under a lock
// hold one of the class.
func (u *Use) WritersHold(class string) bool {
	for b := range u.GuardedWrite {
		if !u.under[class][b] {
			return false
		}
	}
	return true
}

// Writers are the bodies that write the variable after publication, Clearers those that set it to nil, and
// LockClasses counts the locks it is written under, by class; nil where nothing is known of the variable.
func (u *Use) Writers() map[*accesses.Body]bool {
	if u == nil {
		return nil
	}
	return u.Writes
}

// Clearers: see Writers.
func (u *Use) Clearers() map[*accesses.Body]bool {
	if u == nil {
		return nil
	}
	return u.Cleared
}

// LockClasses: see Writers.
func (u *Use) LockClasses() map[string]int {
	if u == nil {
		return nil
	}
	return u.Locks
}

// ClearedBy says whether the body sets the variable to nil.
func (u *Use) ClearedBy(b *accesses.Body) bool { return u != nil && u.Cleared[b] }
