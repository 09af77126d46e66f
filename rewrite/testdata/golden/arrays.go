// Pointers to arrays: sliced, ranged over and indexed, from wherever they are read.
package main

import (
	"fmt"
	"sync/atomic"
)

type table [4]uint16

type tables struct {
	plain  *[4]int
	named  *table
	list   []*[3]string
	byName map[string]*table
	shared atomic.Pointer[table]
	next   chan *table
	any    any
	hold   func() *table
}

var spare *table

func (t *tables) fill(n int) {
	if t.plain == nil {
		t.plain = new([4]int)
	}
	chunks := t.plain[:]
	for i := range chunks {
		chunks[i] = n + i
	}
	for i, c := range t.plain {
		t.plain[3-i] += c
	}
	if spare == nil {
		spare = &table{7, 8}
	}
	t.named, spare = spare, t.named
	entry, ok := t.byName["one"]
	fmt.Println(entry[1:], ok, t.byName["one"][:2], t.list[n][:], t.named[1:2:3], len(t.named), cap(t.plain[1:]))
	t.byName["one"], t.list[n] = t.named, &[3]string{"x", "y", "z"}
	t.shared.Store(t.named)
	before := t.shared.Swap(&table{1})
	t.next <- t.shared.Load()
	t.next <- before
	fmt.Println(t.shared.Load()[:1], (<-t.next)[:], (<-t.next)[:2])
	t.any = t.named
	t.hold = func() *table { return t.named }
	fmt.Println(t.any.(*table)[:1], t.hold()[2:])
}

func main() {
	t := &tables{byName: map[string]*table{"one": {5}}, list: []*[3]string{{"a"}, {"b"}}, next: make(chan *table, 2)}
	t.fill(1)
	spare = &table{3}
	t.fill(0)
	fmt.Println(*t.plain, *t.named, *spare)
}
