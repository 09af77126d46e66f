package rewrite

import (
	"strings"
	"testing"
)

// The kind of a variable is that of its memory; what some accesses find elsewhere, or
// what is more than one word, has none.
func TestKinds(t *testing.T) {
	b, file := benchWith(t, `package main

import (
	"sync/atomic"
	"unsafe"
)

type state uint8
type flag = bool
type box[T any] struct{ v T; next *box[T] }
type all struct {
	s state; done flag; err error; name string; list []int; pair struct{ a, b int }
	up uintptr; raw unsafe.Pointer; c complex128
	counter *atomic.Int32
	old *uint64
	atomic.Bool
	grid [2][3]int16
	rows [][]int16
	word atomic.Value
}

func use(x *all, b *box[int]) {
	go func() {
		x.s, x.done, x.err, x.name, x.list, x.pair, x.up, x.raw, x.c = 1, true, nil, "", nil, x.pair, 0, nil, 0
		x.counter.Add(1)
		atomic.AddUint64(x.old, 1)
		x.Store(true)
		x.grid[1][2], x.rows[0][0] = 1, 1
		x.word.Store(1)
		b.v, b.next = 1, nil
	}()
}

func (b *box[T]) set(v T) { b.v = v }

func main() { use(new(all), new(box[int])) }
`)
	r := b.rewrite(t, Options{Spec: b.everything(t), Readable: true})
	text := string(r.Files[file])
	for name, want := range map[string]string{
		"all.s": "Uint8", "all.done": "Bool", "all.err": "", "all.name": "", "all.list": "", "all.pair": "", "all.up": "Uintptr", "all.raw": "Pointer",
		"all.c": "", "all.counter[]": "Int32", "all.old[]": "Uint64", "all.Bool": "", "all.grid[]": "Int16", "all.rows[]": "", "all.word": "",
		"box.v": "", "box.next": "Pointer",
	} {
		_, row, found := strings.Cut(text, `Name: "`+name+`", `)
		row, _, _ = strings.Cut(row, "}")
		_, kind, _ := strings.Cut(row, ", Kind: _ar_heal.Kind")
		if !found || kind != want {
			t.Errorf("%s: %q, want %q (in %v)", name, kind, want, row)
		}
	}
}
