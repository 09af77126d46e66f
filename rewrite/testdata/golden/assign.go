// Assignments: constants, nil, untyped bools and shifts, values with calls,
// places with calls, several at once.
package main

import "fmt"

type flag bool

type node struct {
	n     int64
	small uint8
	done  flag
	plain bool
	any   any
	err   error
	f     func() int
	next  *node
	list  []int
	pair  [2]int
	inner struct{ deep int }
}

var trace []string

func tr[T any](name string, v T) T {
	trace = append(trace, name)
	return v
}

func show(what string) {
	fmt.Println(what, trace)
	trace = nil
}

func two() (int64, error) { return 7, fmt.Errorf("seven") }

func constants(x *node) {
	x.n = 3
	x.small = 'a'
	x.done = true
	x.any = 1.5
	x.err = nil
	x.list = nil
	x.next = nil
	fmt.Println(x.n, x.small, x.done, x.any, x.err, x.list == nil, x.next == nil)
}

func contextual(x *node, n uint) {
	x.done = n > 2
	x.plain = n > 2
	x.any = n > 2
	x.n = 1 << n
	x.small = 1<<n + 1
	x.done = !(n == 3) || n > 4 && x.n > 1
	fmt.Printf("%T %v %v %v %v %v\n", x.any, x.any, x.done, x.plain, x.n, x.small)
}

func places(x *node) {
	get := func() *node { return tr("get", x) }
	at := func(i int) int { return tr("at", i) }
	get().n = tr("value", int64(5))
	show("call in place")
	get().pair[at(1)] = tr("value", 9)
	show("index")
	get().list = append(tr("list", get().list), tr("one", 1), tr("two", 2))
	show("append")
	get().list[at(1)] = tr("value", 8)
	show("element")
	*(&get().n) = 11
	get().inner.deep = tr("deep", 4)
	(x.n) = x.n + 1
	fmt.Println(x.n, x.pair, x.list, x.inner)
	show("rest")
}

func several(x *node) {
	x.n, x.err = two()
	fmt.Println(x.n, x.err)
	x.next = &node{n: 1}
	x.n, x.next.n = x.next.n, x.n
	fmt.Println(x.n, x.next.n)
	i := 0
	x.list = []int{10, 20, 30}
	i, x.list[i] = 2, 99
	fmt.Println(i, x.list)
	x.list[0], x.list[1], x.list[2] = x.list[2], x.list[0], x.list[1]
	fmt.Println(x.list)
	_, x.plain = x.any.(bool)
	var ok flag
	x.any, ok = map[string]int{"a": 1}["a"], true
	_ = ok
	_, x.err = two()
	_, x.n = 1, 2
	x.pair[0], x.pair[1] = x.pair[1], x.pair[0]
	x, x.n = x.next, 77 // x.n is the old x
	fmt.Println(x.n)
}

func functions(x *node) {
	x.f = func() int {
		x.n = 42
		return int(x.n)
	}
	fmt.Println(x.f(), x.n)
	var holder generic
	p := &holder
	p.g = id[int]
	fmt.Println(p.g(6))
	p.g = id
	fmt.Println(p.g(7))
}

type generic struct{ g func(int) int }

func id[T any](v T) T { return v }

func redefine(x *node) int {
	total, err := 0, error(nil)
	add := func() { total++ }
	add()
	total, more := 5, 6
	if total, inner := 8, 9; total > inner {
		add()
	}
	small, total := uint8(1), total<<small0
	add()
	return total + more + int(small) + len(fmt.Sprint(err))
}

var small0 uint = 1

func main() {
	x := &node{}
	constants(x)
	contextual(x, 3)
	places(x)
	several(x)
	functions(x)
	fmt.Println(redefine(x))
}
