//go:build !atomrace_off

package heal

// Which policy is in force where. A section has what SetPolicy says of it, else
// what its table says, else what ATOMRACE says. PolicyAuto comes to PolicyOff
// until the section has been broken; then to PolicyLock if the section is
// assured, else to PolicyYield. A variable, that is its single accesses and
// Holds, has the strongest policy of its sections. Where healing locks could not
// be had too often, PolicyLock comes to PolicyYield for the whole variable, and where
// backing off was in vain too often PolicyYield to PolicyOff, see fallback.go; and while healing is suspended everything comes to PolicyOff.

// plain is what holds for sections without a word of their own that nobody has
// broken.
//
//go:norace
func (c *config) plain() Policy {
	if c.suspended || c.heal == PolicyAuto {
		return PolicyOff
	}
	return c.heal
}

// policy returns what is in force for section s: PolicyOff, PolicyYield or
// PolicyLock.
//
//go:norace
func (c *config) policy(s *Section) Policy {
	p, st := s.Policy, s.met()
	if st != nil && st.named != PolicyInherit {
		p = st.named
	}
	if p == PolicyInherit {
		p = c.heal
	}
	switch {
	case c.suspended:
		return PolicyOff
	case p == PolicyAuto && st == nil:
		return PolicyOff
	case p == PolicyAuto:
		p = st.auto
	}
	if st == nil {
		return p
	}
	return st.variable.feasible(p)
}

// policyOf returns what is in force for single accesses and Holds of v.
//
//go:norace
func (c *config) policyOf(v *variable) Policy {
	if c.suspended {
		return PolicyOff
	}
	return v.feasible(max(c.plain(), v.policy))
}

// feasible is what p comes to for v where that has been in vain too often.
//
//go:norace
func (v *variable) feasible(p Policy) Policy {
	if p == PolicyLock && v.fallbacks.open {
		p = PolicyYield
	}
	if p == PolicyYield && v.backOffs.open {
		p = PolicyOff
	}
	return p
}

// decide works out v's policy anew. The lock of the registry must be held.
func (v *variable) decide(c *config) {
	strongest, mixed := PolicyOff, false
	if !v.named && v.table != PolicyAuto {
		strongest = max(strongest, v.table)
	}
	for _, st := range v.sections {
		p := c.policy(st.of)
		strongest = max(strongest, p)
		mixed = mixed || p == PolicyYield
	}
	changed := strongest != v.policy || mixed != v.mixed
	v.policy, v.mixed = strongest, mixed
	if strongest > PolicyOff {
		registry.healing = true
	}
	if changed {
		c.renew()
	}
}

// decideAll does so for all variables.
func (c *config) decideAll() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.healing = false
	for _, v := range registry.variables {
		v.decide(c)
		registry.healing = registry.healing || v.policy > PolicyOff
	}
	c.renew()
	c.rouse()
}

// isAuto reports whether PolicyAuto decides about st.
func (c *config) isAuto(st *sectionState) bool {
	p := st.named
	if p == PolicyInherit {
		p = st.of.Policy
	}
	if p == PolicyInherit {
		p = c.heal
	}
	return p == PolicyAuto
}

// broken tells PolicyAuto that s has been broken, and returns what is done about
// it from now on, in words; empty if that is not new or not PolicyAuto's affair.
func (c *config) broken(s *Section) string {
	st := s.state()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if !c.isAuto(st) || st.auto > PolicyOff || c.suspended {
		return ""
	}
	st.auto = PolicyYield
	if st.of.Assured {
		st.auto = PolicyLock
	}
	st.variable.decide(c)
	words := "auto; from now on by " + st.auto.String()
	if why := st.of.Assurance; why != "" {
		words += ": " + why
	}
	return words
}

// SetPolicy changes, from now on, how the section with the id is healed, and with
// it the single accesses to its variable; PolicyInherit takes that back. The empty
// id changes what ATOMRACE says, which holds for all sections that have no policy
// of their own; PolicyInherit takes that back, too. What is open at the moment
// ends as it began; with a budget, so do activations that rest at the moment. A
// variable for which healing locks, or healing, had been given up gets them again. An id that no
// section has is kept for when one turns up. SetPolicy is safe for concurrent use.
func SetPolicy(section string, p Policy) {
	if p > PolicyLock {
		return
	}
	configure()
	if section == "" {
		settingUp.Lock()
		defer settingUp.Unlock()
		settingUp.heal = p
		mendBreakers()
		apply()
		return
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	c := settings() // those in force, while nobody else decides
	if registry.named == nil {
		registry.named = make(map[string]Policy)
	}
	registry.named[section] = p
	c.rouse() // sections that nobody has met yet could rest
	for _, st := range registry.sections {
		if st.of.ID == section {
			st.named = p
			st.variable.named = true
			st.variable.fallbacks, st.variable.backOffs = breaker{}, futility{}
			st.variable.decide(c)
			c.renew() // it may be another one of the variable's sections that decides
		}
	}
}

// mendBreakers lets all variables have their healing, and its locks, again, as of when it is next
// decided about them.
func mendBreakers() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, v := range registry.variables {
		v.fallbacks, v.backOffs = breaker{}, futility{}
	}
}

// Suspend is the kill switch: with true all healing stops at once, whatever the
// policies say, and who waits for a healing lock goes on without it; watching
// goes on. With false the policies count again. Safe for concurrent use.
func Suspend(on bool) {
	configure()
	settingUp.Lock()
	defer settingUp.Unlock()
	settingUp.suspended = on
	apply()
}

// policyNamed is the policy that people call so.
func policyNamed(word string) (p Policy, ok bool) {
	for p := PolicyOff; p <= PolicyLock; p++ {
		if p.String() == word {
			return p, true
		}
	}
	return PolicyInherit, word == "inherit"
}

// notPriority is the explanation for who asks for a policy of papers/001 section 5 that
// there is none of: to raise the priority of the goroutine in the section. Goroutines
// have no priority, and that of the thread which runs one is no substitute: a goroutine
// changes threads wherever it waits or is preempted, whatever else runs on the thread
// would have the priority, too, and Linux lets unprivileged processes lower a thread's
// only. What the paper wants of it, that the owner gets on and the others do not
// get in the way, is what PolicyYield does.
func notPriority(word string) string {
	if word != "priority" {
		return ""
	}
	return ": goroutines have no priorities, yield is nearest"
}
