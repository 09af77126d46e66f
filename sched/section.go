package sched

import "slices"

// A Section is a part of a program that should be atomic for one variable, or a set of
// them: the atomic sections of papers/001 section 3.2, from atomicity.yaml or the
// analyzers. It begins at the locations that have it among their Entry and is over at
// those that have it among their Ends. The rewriter makes one for each.
type Section struct {
	Package  string   // import path
	ID       string   // as in atomicity.yaml
	Variable string   // the one it begins with, as Location.Variable
	Allow    Mode     // what others may do in all that follows the entry, wherever it ends
	Offset   uintptr  // in a set of fields, of the variable in their struct, in bytes
	Members  []Member // the other variables of a set
}

// String returns package.ID.
func (s *Section) String() string { return s.Package + "." + s.ID }

// matches says whether name, as in Options.Section, means the section.
func (s *Section) matches(name string) bool { return name == "" || name == s.ID || name == s.String() }

// A Mode says what an access does; a set, with the bits of access sets in
// atomicity.yaml.
type Mode uint8

const (
	Reads  Mode = 1
	Writes Mode = 2
)

// An End makes a location an end of a section: Allow is what others may have done
// since its entry, and Also what to one variable of a set besides.
type End struct {
	Section *Section
	Allow   Mode
	Also    []MemberAccess
}

// A MemberAccess is an access to a variable of a set.
type MemberAccess struct {
	Variable string // as Location.Variable
	Mode     Mode
}

// allows is what others may have done to the variable.
func (e *End) allows(variable string) Mode {
	set := e.Allow
	for i := range e.Also {
		if e.Also[i].Variable == variable {
			set |= e.Also[i].Mode
		}
	}
	return set
}

// An openSection is a stay of a goroutine in a section.
type openSection struct {
	g       *Goroutine
	section *Section
	frame   int       // of g, in which it was entered
	memory  Operation // the variable, as its access at the entry
	foreign []foreignAccess
}

// A foreignAccess is one by another goroutine than the section's.
type foreignAccess struct {
	g        int
	side     Side
	mode     Mode
	variable string // as Location.Variable; empty if that is not known
}

// foreignKept bounds the foreign accesses that a stay remembers: equal ones count
// once, and so many different ones come together nowhere.
const foreignKept = 16

// A Frame is the activation of a function that enters sections. What it has
// entered and not left is over when it is: by return, panic or Goexit.
type Frame struct {
	g     *Goroutine // nil outside of control
	depth int
}

// Begin is the first statement of such a function; End is deferred then.
func Begin() (f Frame) {
	g := enter()
	if g == nil {
		return f
	}
	g.frames++
	f = Frame{g, g.frames}
	leave(g)
	return f
}

// End is the end of the activation.
func (f *Frame) End() {
	g := f.enter()
	if g == nil {
		return
	}
	g.frames = f.depth - 1
	for n := len(g.open); n > 0 && g.open[n-1].frame >= f.depth; n-- {
		g.engine.close(g.open[n-1])
	}
	leave(g)
}

// Exit is a way out of the section that is none of its ends.
func (f *Frame) Exit(s *Section) {
	g := f.enter()
	if g == nil {
		return
	}
	for i := len(g.open) - 1; i >= 0 && g.open[i].frame >= f.depth; i-- {
		if o := g.open[i]; o.section == s {
			g.engine.close(o)
		}
	}
	leave(g)
}

// enter is nil where the activation began outside of control, or is not that of
// the calling goroutine.
func (f *Frame) enter() *Goroutine {
	if f.g == nil {
		return nil
	}
	g := enter()
	if g != nil && g != f.g {
		leave(g)
		return nil
	}
	return g
}

// visit is told of each access that is about to be done, and knows what is open
// and what the location opens and ends.
func (e *engine) visit(g *Goroutine, op *Operation) {
	l := op.Location
	if e.hybrid != nil && l != nil {
		e.hybrid.came(g, op)
	}
	if len(e.open) > 0 {
		for _, o := range e.open {
			if o.g != g && o.meets(op) {
				o.seen(g, op)
			}
		}
		if l != nil {
			for i := range l.Ends {
				e.end(g, &l.Ends[i], op)
			}
		}
	}
	if l != nil {
		for _, s := range l.Entry {
			e.enter(g, s, op, g.frames)
		}
	}
	for i := len(g.calls) - 1; i >= 0; i-- {
		e.visitIn(g, &g.calls[i], op)
	}
}

// enter opens a section for the activation frame of g. The same one at its entry again
// has come round in a loop: what it saw before is nobody's business.
func (e *engine) enter(g *Goroutine, s *Section, op *Operation, frame int) {
	if !s.matches(e.options.Section) {
		return
	}
	if !slices.Contains(e.entered, s) {
		e.entered, e.sections = append(e.entered, s), true
	}
	if e.hybrid != nil {
		e.hybrid.began(g, s, op)
	}
	for _, o := range g.open {
		if o.section == s && o.frame == frame && o.memory.meets(op) {
			o.memory, o.foreign = *op, o.foreign[:0]
			return
		}
	}
	o := &openSection{g: g, section: s, frame: frame, memory: *op}
	at := len(g.open) // behind those of the same activation: a call may have its own by now
	for at > 0 && g.open[at-1].frame > frame {
		at--
	}
	g.open = slices.Insert(g.open, at, o)
	e.open = append(e.open, o)
}

// end ends the stay of g that is the last one begun, and finds the accesses of
// others that were not allowed.
func (e *engine) end(g *Goroutine, end *End, op *Operation) {
	for i := len(g.open) - 1; i >= 0; i-- {
		o := g.open[i]
		if o.section != end.Section || !o.meets(op) {
			continue
		}
		for _, f := range o.foreign {
			if f.mode&^end.allows(f.variable) != 0 {
				e.violation(o, f, op)
			}
		}
		e.close(o)
		return
	}
}

// close ends a stay.
func (e *engine) close(o *openSection) {
	o.g.open = withoutSection(o.g.open, o)
	e.open = withoutSection(e.open, o)
}

func withoutSection(list []*openSection, o *openSection) []*openSection {
	i := slices.Index(list, o)
	return slices.Delete(list, i, i+1)
}

// seen remembers a foreign access that not every end allows.
func (o *openSection) seen(g *Goroutine, op *Operation) {
	mode := op.mode()
	if mode&^o.section.Allow == 0 || len(o.foreign) == foreignKept {
		return
	}
	variable := ""
	if op.Location != nil {
		variable = op.Location.Variable
	}
	if f := (foreignAccess{g.ID, op.side(), mode, variable}); !slices.Contains(o.foreign, f) {
		o.foreign = append(o.foreign, f)
	}
}

// violation counts one that was found.
func (e *engine) violation(o *openSection, f foreignAccess, op *Operation) {
	v := Violation{
		Section: o.section.String(), Variable: o.section.Variable,
		Before: o.memory.side(), Foreign: f.side, After: op.side(),
		Goroutines: [2]int{o.g.ID, f.g}, Decision: e.state.Decision, Count: 1,
	}
	for i := range e.violations {
		k := &e.violations[i]
		if k.Section == v.Section && k.Before == v.Before && k.Foreign == v.Foreign && k.After == v.After {
			k.Count++
			return
		}
	}
	e.violations = append(e.violations, v)
}
