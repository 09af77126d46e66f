package sched

import "unsafe"

// A Section is a part of a program that should be atomic for one variable: the
// atomic sections of papers/001, from atomicity.yaml or the analyzers.
type Section struct {
	ID       string // as in atomicity.yaml
	Variable string
	File     string // where it begins
	Line     int
}

// An openSection is a stay of a goroutine in a section.
type openSection struct {
	g       *Goroutine
	section *Section
	memory  Operation // the variable, as the object and size of an access
	count   int       // entered so often and not left
	last    *Location // of its own last access; nil before the first
	wrote   bool
	foreign []foreignAccess // since then
}

// A foreignAccess is one by another goroutine than the section's.
type foreignAccess struct {
	g     *Goroutine
	loc   *Location
	write bool
}

// foreignKept bounds the foreign accesses that are remembered between two of the
// section's own: equal ones count once, and so many different ones come together
// nowhere.
const foreignKept = 16

// Enter begins the section over the size bytes at addr for the calling goroutine.
// It stands directly before the Access that opens the section and is no point of
// its own. A section that is entered again while it is open counts.
func Enter(section *Section, addr unsafe.Pointer, size uintptr) {
	g := enter()
	if g == nil {
		return
	}
	e := g.engine
	if o := g.inSection(section, addr); o != nil {
		o.count++
	} else {
		o = &openSection{g: g, section: section, memory: Operation{Kind: Accessing, Object: addr, Size: size}, count: 1}
		g.open = append(g.open, o)
		e.open = append(e.open, o)
	}
	leave(g)
}

// Leave ends what Enter began, on every way out of the section. It does nothing
// if the calling goroutine is not inside.
func Leave(section *Section, addr unsafe.Pointer) {
	g := enter()
	if g == nil {
		return
	}
	if o := g.inSection(section, addr); o != nil {
		o.count--
		if o.count == 0 {
			g.engine.close(o)
		}
	}
	leave(g)
}

func (g *Goroutine) inSection(section *Section, addr unsafe.Pointer) *openSection {
	for _, o := range g.open {
		if o.section == section && o.memory.Object == addr {
			return o
		}
	}
	return nil
}

// close ends a stay.
func (e *engine) close(o *openSection) {
	o.g.open = withoutSection(o.g.open, o)
	e.open = withoutSection(e.open, o)
}

func withoutSection(list []*openSection, o *openSection) []*openSection {
	for i, l := range list {
		if l == o {
			copy(list[i:], list[i+1:])
			list[len(list)-1] = nil
			return list[:len(list)-1]
		}
	}
	return list
}

// observe is told of each access that is done while sections are open. It finds the
// accesses of others between two of a section's own, and those among them that no
// serial order allows.
func (e *engine) observe(g *Goroutine, op *Operation) {
	for _, o := range e.open {
		if !op.overlaps(&o.memory) {
			continue
		}
		if o.g != g {
			o.seen(g, op)
			continue
		}
		if o.last != nil {
			for _, f := range o.foreign {
				if unserializable(o.wrote, f.write, op.Write) {
					e.violation(o, f, op)
				}
			}
		}
		o.last, o.wrote, o.foreign = op.Location, op.Write, o.foreign[:0]
	}
}

// seen remembers a foreign access after one of the section's own.
func (o *openSection) seen(g *Goroutine, op *Operation) {
	if o.last == nil || len(o.foreign) == foreignKept {
		return
	}
	f := foreignAccess{g, op.Location, op.Write}
	for _, known := range o.foreign {
		if known == f {
			return
		}
	}
	o.foreign = append(o.foreign, f)
}

// unserializable says whether a foreign access between two others of one goroutine
// has no equivalent serial order: r-w-r, w-w-r, r-w-w and w-r-w (papers/001).
func unserializable(first, foreign, second bool) bool {
	if foreign {
		return !(first && second)
	}
	return first && second
}

// violation counts one that was found.
func (e *engine) violation(o *openSection, f foreignAccess, op *Operation) {
	v := Violation{
		Section: o.section.ID, Variable: o.section.Variable,
		Before:     Side{o.last.String(), o.last.ID, o.wrote},
		Foreign:    Side{f.loc.String(), f.loc.ID, f.write},
		After:      Side{op.Location.String(), op.Location.ID, op.Write},
		Goroutines: [2]int{o.g.ID, f.g.ID}, Decision: e.state.Decision, Count: 1,
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
