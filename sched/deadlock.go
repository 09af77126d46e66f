package sched

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
)

// Waiting is a goroutine that waits and that nobody will wake.
type Waiting struct {
	Goroutine int    `json:"goroutine"`
	Operation string `json:"operation"`     // what it waits for, as in "lock mutex 2"
	Location  string `json:"location"`      // file:line of the program
	For       []int  `json:"for,omitempty"` // the goroutines that have it
}

// deadlock ends the run, for nobody can make a step any more.
func (e *engine) deadlock() {
	waiting := e.waiting(func(g *Goroutine) bool { return !g.enabled })
	e.blocked = waiting
	var text strings.Builder
	fmt.Fprintf(&text, "deadlock after %d decisions: all goroutines wait\n", e.state.Decision)
	for _, w := range waiting {
		fmt.Fprintf(&text, "  goroutine %d waits at %s: %s", w.Goroutine, w.Location, w.Operation)
		if len(w.For) > 0 {
			fmt.Fprintf(&text, ", held by goroutine %s", numbers(w.For, ", "))
		}
		text.WriteByte('\n')
	}
	if cycle := findCycle(waiting); cycle != nil {
		fmt.Fprintf(&text, "  cycle: %s\n", numbers(append(cycle, cycle[0]), " waits for "))
	}
	e.finish(OutcomeDeadlock, text.String())
}

// waiting lists those goroutines that wait, by ID.
func (e *engine) waiting(waits func(*Goroutine) bool) []Waiting {
	var list []Waiting
	for _, g := range e.alive {
		if !waits(g) {
			continue
		}
		w := Waiting{Goroutine: g.ID, Operation: e.describe(&g.Next), Location: e.positionOf(g)}
		if g.obstacle != nil {
			for _, h := range g.obstacle.owners() {
				isWriter := h == g && g.Next.Kind == Locking && h.obstacle.(*lock).announced == g
				if !isWriter && (len(w.For) == 0 || w.For[len(w.For)-1] != h.ID) {
					w.For = append(w.For, h.ID)
				}
			}
		}
		list = append(list, w)
	}
	return list
}

// findCycle returns goroutines of which each waits for the next, and the last for
// the first; nil if there are none.
func findCycle(list []Waiting) []int {
	waitsFor := make(map[int][]int)
	for _, w := range list {
		waitsFor[w.Goroutine] = w.For
	}
	done := make(map[int]bool)
	var path []int
	var visit func(id int) []int
	visit = func(id int) []int {
		for i, p := range path {
			if p == id {
				return append([]int(nil), path[i:]...)
			}
		}
		if done[id] {
			return nil
		}
		done[id] = true
		path = append(path, id)
		for _, next := range waitsFor[id] {
			if cycle := visit(next); cycle != nil {
				return cycle
			}
		}
		path = path[:len(path)-1]
		return nil
	}
	for _, w := range list {
		if cycle := visit(w.Goroutine); cycle != nil {
			return cycle
		}
	}
	return nil
}

func numbers(ids []int, separator string) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = strconv.Itoa(id)
	}
	return strings.Join(words, separator)
}

// positionOf returns where a goroutine that waits is in the program. It wakes it to
// ask: so decisions need no look at the stack.
func (e *engine) positionOf(g *Goroutine) string {
	switch {
	case atomic.LoadUintptr(&g.identity) == identity():
		return position()
	case g.Next.Kind == Returning:
		if _, place, ok := strings.Cut(outside(stackOf(g.number)), " at "); ok {
			return place
		}
		return "unknown"
	}
	e.asking = make(chan string)
	g.wake <- struct{}{}
	where := <-e.asking
	e.asking = nil
	return where
}
