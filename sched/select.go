package sched

import "reflect"

// A Case is one case of a Select.
type Case struct{ operation channelOperation }

// SendCase is case c <- v.
func SendCase[T any](c chan<- T, v T) Case {
	return Case{&sendOperation[T]{c, v}}
}

// ReceiveCase is case *v, *ok = <-c; v and ok may be nil.
func ReceiveCase[T any](c <-chan T, v *T, ok *bool) Case {
	return Case{&receiveOperation[T]{c: c, toV: v, toOK: ok}}
}

// Select is a select statement: it performs one of the cases and returns its
// index. With block false it has a default case, whose index is -1. Without cases
// it blocks for ever. Which of several cases that are ready is performed follows
// from the seed.
func Select(block bool, cases ...Case) int {
	g := enter()
	if g == nil {
		return selectPlainly(block, cases)
	}
	defer leave(g)
	e := g.engine
	e.point(g, Operation{Kind: Selecting})
	chosen := e.selectReady(g, cases)
	if chosen < 0 && block {
		operations := make([]channelOperation, len(cases))
		for i, c := range cases {
			operations[i] = c.operation
		}
		chosen = e.parkOn(g, operations)
		if g.closed && operations[chosen].sends() {
			operations[chosen].attempt() // panics
		}
	}
	if chosen >= 0 {
		cases[chosen].operation.deliver()
	}
	return chosen
}

// selectReady performs one of the cases that are ready, each with the same
// probability: the first in a random order. It returns -1 if there is none.
func (e *engine) selectReady(g *Goroutine, cases []Case) int {
	var buf [8]int
	order := buf[:0]
	for i := range cases {
		j := 0
		if i > 0 {
			j = g.random.intn(i + 1)
		}
		order = append(order, i)
		order[i], order[j] = order[j], i
	}
	for _, i := range order {
		op := cases[i].operation
		if op.channel() != nil && e.try(g, op) {
			return i
		}
	}
	return -1
}

func (s *sendOperation[T]) deliver() {}

// deliver puts what was received where the case wants it.
func (r *receiveOperation[T]) deliver() {
	if r.toV != nil {
		*r.toV = r.v
	}
	if r.toOK != nil {
		*r.toOK = r.ok
	}
}

// A plainCase is a case as package reflect has it, for goroutines that are not
// under control.
type plainCase struct {
	reflect.SelectCase
	took func(reflect.Value, bool)
}

func (s *sendOperation[T]) plain() plainCase {
	return plainCase{reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(s.c), Send: reflect.ValueOf(&s.v).Elem()}, func(reflect.Value, bool) {}}
}

func (r *receiveOperation[T]) plain() plainCase {
	return plainCase{reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.c)}, func(v reflect.Value, ok bool) {
		reflect.ValueOf(&r.v).Elem().Set(v)
		r.ok = ok
		r.deliver()
	}}
}

func selectPlainly(block bool, cases []Case) int {
	list := make([]reflect.SelectCase, 0, len(cases)+1)
	took := make([]func(reflect.Value, bool), 0, len(cases))
	for _, c := range cases {
		p := c.operation.plain()
		list, took = append(list, p.SelectCase), append(took, p.took)
	}
	if !block {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, v, ok := reflect.Select(list)
	if i == len(cases) {
		return -1
	}
	took[i](v, ok)
	return i
}
