// Generic types and functions, type parameters as fields, embedded and
// promoted fields, structs copied whole.
package main

import (
	"cmp"
	"fmt"
)

type list[T any] struct {
	head *element[T]
	size int
}

type element[T any] struct {
	value T
	next  *element[T]
}

func (l *list[T]) push(v T) {
	l.head = &element[T]{v, l.head}
	l.size++
}

func (l *list[T]) each(yield func(int, T) bool) {
	i := 0
	for e := l.head; e != nil; e = e.next {
		if !yield(i, e.value) {
			return
		}
		i++
	}
}

type tree[K cmp.Ordered, V any] struct {
	key         K
	value       V
	left, right *tree[K, V]
	byKey       map[K]V
}

func (t *tree[K, V]) set(k K, v V) {
	switch {
	case t.byKey == nil:
		t.key, t.value, t.byKey = k, v, map[K]V{k: v}
	case k < t.key:
		if t.left == nil {
			t.left = new(tree[K, V])
		}
		t.left.set(k, v)
	default:
		t.value = v
		t.byKey[k] = v
	}
}

type number interface{ ~int | ~float64 }

func sum[N number](total *N, values ...N) {
	for _, v := range values {
		*total += v
	}
}

func fill[M ~map[K]V, K comparable, V any](m M, k K, v V) {
	m[k] = v
	_ = m[k]
	delete(m, k)
	m[k] = v
}

type base struct{ id, rank int }

func (b *base) bump() { b.rank++ }

type middle struct{ *base }

type top struct {
	middle
	base2 base
	name  string
}

func promoted(t *top) {
	t.id = 5
	t.rank += t.id
	t.bump()
	t.base2 = *t.base
	t.base2.id++
	copied := *t
	copied.name = "copy"
	*t = copied
	t.middle.base.id *= 2
	fmt.Println(t.id, t.rank, t.base2, t.name, copied.id)
	mk := func() middle { return t.middle }
	mk().id = 50
	fmt.Println(mk().id)
}

func main() {
	l := &list[string]{}
	l.push("a")
	l.push("b")
	for i, v := range l.each {
		fmt.Println(i, v)
	}
	t := &tree[string, int]{}
	t.set("m", 1)
	t.set("a", 2)
	t.set("z", 3)
	fmt.Println(l.size, t.left.value, t.value, len(t.byKey))
	total := 0.5
	sum(&total, 1, 2.5)
	m := map[string]bool{}
	fill(m, "x", true)
	fmt.Println(total, m)
	promoted(&top{middle: middle{&base{1, 2}}})
}
