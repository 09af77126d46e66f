// Accesses to many elements at once.
package main

import "fmt"

type row struct{ a, b int }

type names []string

type table struct {
	list  []int
	rows  []row
	bytes []byte
	names names
	array [6]int
	none  []struct{}
}

var shared = []int{1, 2, 3}

func say(what string, t *table) *table { fmt.Print(what, " "); return t }

func (t *table) fill() {
	for i := range t.list {
		t.list[i] = i
	}
	t.rows[0].a, t.names[0], t.array[1], shared[0] = 1, "zero", 5, 7
	t.none[0] = struct{}{}
}

func (t *table) ranges() (sum int) {
	for _, v := range t.list {
		sum += v
		t.list = nil // the loop has its own
	}
	for i, v := range say("range", t).rows[1:] {
		i += 100 // after the element was read
		sum += v.a + i
	}
	t.list = shared
outer:
	for i, n := range t.names {
		for _, v := range t.list {
			if v == 3 {
				continue outer
			}
			sum += v
		}
		sum += i + len(n)
	}
	var i, v int
	for i, v = range t.list {
		sum += v
	}
	for _, v = range t.list { // no index to hook with
		sum += v
	}
	for t.array[0], v = range t.list {
		sum += v * t.array[0]
	}
	for range t.list {
		sum++
	}
	for _, v := range t.array { // a copy
		t.array[1]++
		sum += v
	}
	for _, v := range t.array[:] {
		t.array[1]++
		sum += v
	}
	for _, v := range t.none {
		_ = v
		sum++
	}
	var funcs []func() int
	for i, v := range t.list {
		funcs = append(funcs, func() int { i++; return i + v })
	}
	for _, f := range funcs {
		sum += f()
	}
	return sum + i
}

func (t *table) copies() {
	fmt.Println(copy(say("to", t).list, say("from", t).list[1:]), t.list)
	copy(t.list[1:], t.list)
	copy(t.bytes, "text")
	n := copy(t.bytes[1:], t.names[0])
	copy(t.array[2:], shared)
	copy(t.list, []int(nil))
	copy(t.none, t.none)
	func() {
		defer copy(t.list, []int{9})
		fmt.Println(t.list)
	}()
	done := make(chan bool)
	go func() {
		copy(t.rows, t.rows[1:])
		close(done)
	}()
	<-done
	t.names = append(t.names, t.names...)
	t.bytes = append(t.bytes, t.names[0]...)
	t.list = append(t.list[:1], t.list[2:]...)
	fmt.Println(n, t, append([]int(nil), shared...))
	clear(t.rows[1:])
	clear(t.array[:2])
	clear(shared)
}

func clone[S ~[]T, T any](s, t S) S {
	copy(s, t)
	return append(s[:0:0], s...)
}

func main() {
	t := &table{make([]int, 3), make([]row, 3), make([]byte, 6), make(names, 2), [6]int{}, make([]struct{}, 2)}
	t.fill()
	fmt.Println(t.ranges(), t)
	t.copies()
	fmt.Println(t, shared, clone(t.names, names{"x"}))
	defer func() { fmt.Println(recover(), t) }()
	copy((*table)(nil).list, shared)
}
