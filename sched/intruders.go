package sched

import (
	"path/filepath"
	"slices"
	"strconv"
)

// Entered is a section that was entered.
type Entered struct {
	Section string `json:"section"` // as Section.String
	// Delay are the places at which others begin what may break it, with
	// Options.Hybrid: the first lock that they have then, as the innermost calls
	// by which they take it (file:line@file:line), or the access itself
	// (file:line:column). Who is held back there comes in once somebody is inside.
	Delay []string `json:"delay,omitempty"`
}

// An intruder is a location with an access, and how goroutines came there.
type intruder struct {
	location *Location
	mode     Mode
	delay    []string
}

// came notes the access of g for what it might break.
func (h *hybrid) came(g *Goroutine, op *Operation) {
	l := op.Location
	delay := g.way(l)
	i, known := h.at[l]
	if !known {
		i = &intruder{location: l, mode: op.mode()}
		h.at[l] = i
		h.intruders = append(h.intruders, i)
	}
	if !slices.Contains(i.delay, delay) {
		i.delay = append(i.delay, delay)
	}
}

// way is the place at which g can be held back on its way to the access.
func (g *Goroutine) way(l *Location) string {
	if len(g.held) > 0 && g.held[0].chain != "" {
		return g.held[0].chain
	}
	return l.place()
}

// began notes that g enters the section with the access.
func (h *hybrid) began(g *Goroutine, s *Section, op *Operation) {
	l := op.Location
	if op.Inside != nil {
		l = op.Inside
	}
	if way := g.way(l); !slices.Contains(h.begun[s], way) {
		h.begun[s] = append(h.begun[s], way)
	}
}

// delays are the places at which somebody begins what may break the section. Whoever
// begins the section itself there is not held back: the next one comes in.
func (h *hybrid) delays(s *Section) []string {
	var list []string
	for _, i := range h.intruders {
		if s.hasVariable(i.location.Variable) && i.mode&^s.Allow != 0 {
			list = append(list, i.delay...)
		}
	}
	list = slices.DeleteFunc(list, func(way string) bool { return slices.Contains(h.begun[s], way) })
	slices.Sort(list)
	return slices.Compact(list)
}

// place is file:line:column without the folders.
func (l *Location) place() string {
	return filepath.Base(l.File) + ":" + strconv.Itoa(l.Line) + ":" + strconv.Itoa(l.Column)
}
