package sched

import (
	"cmp"
	"reflect"
	"slices"
)

// An Entry is the state of a loop over a map.
type Entry[K comparable, V any] struct {
	m    map[K]V
	keys []key[K, V]
}

// A key is one that is still to come.
type key[K comparable, V any] struct {
	k      K
	number int // that Key gave it
	own    *V  // its value, if it cannot be looked up: NaN
}

// Entries begins a loop over the map's entries, in an order that follows from
// the seed under control and is Go's own otherwise. An entry that is removed
// before its turn is passed over, and one that is added is not visited: either is
// as the language has it.
func Entries[K cmp.Ordered, V any](m map[K]V) (e *Entry[K, V], k K, v V) {
	e = &Entry[K, V]{m: m, keys: make([]key[K, V], 0, len(m))}
	for k := range m {
		e.keys = append(e.keys, key[K, V]{k: k})
	}
	if Active() {
		slices.SortFunc(e.keys, func(a, b key[K, V]) int { return cmp.Compare(a.k, b.k) })
		e.shuffle()
	}
	return e, k, v
}

// NumberedEntries is Entries for keys that have no order: they are sorted by the numbers
// that Key gave them, those without by what they hold. Pointers without a number stay as
// Go has them.
func NumberedEntries[K comparable, V any](m map[K]V) (e *Entry[K, V], k K, v V) {
	e = &Entry[K, V]{m: m, keys: make([]key[K, V], 0, len(m))}
	for k, v := range m {
		next := key[K, V]{k: k}
		if k != k {
			next.own = &v
		}
		e.keys = append(e.keys, next)
	}
	g := enter()
	if g == nil {
		return e, k, v
	}
	numbers := g.engine.numbers
	leave(g)
	for i := range e.keys {
		e.keys[i].number = numbers[any(e.keys[i].k)]
	}
	slices.SortStableFunc(e.keys, func(a, b key[K, V]) int {
		if a.number != b.number {
			return cmp.Compare(a.number, b.number)
		}
		return compareValues(reflect.ValueOf(&a.k).Elem(), reflect.ValueOf(&b.k).Elem())
	})
	e.shuffle()
	return e, k, v
}

// shuffle puts the keys, which are sorted, in an order that follows from the seed.
func (e *Entry[K, V]) shuffle() {
	for i := len(e.keys) - 1; i > 0; i-- {
		j := Intn(i + 1)
		e.keys[i], e.keys[j] = e.keys[j], e.keys[i]
	}
}

// NextEntry goes on to the next entry; it is false when there is none.
func NextEntry[K comparable, V any](e *Entry[K, V], k *K, v *V) bool {
	for len(e.keys) > 0 {
		next := e.keys[0]
		e.keys = e.keys[1:]
		if next.own != nil {
			*k, *v = next.k, *next.own
			return true
		}
		if value, ok := e.m[next.k]; ok {
			*k, *v = next.k, value
			return true
		}
	}
	return false
}

// numbersKept bounds the keys that a run remembers, for it keeps them alive.
const numbersKept = 1 << 17

// Key returns k, and numbers it if it is new: the keys of maps that have no order are
// visited by their numbers.
func Key[K any](k K) K {
	g := enter()
	if g == nil {
		return k
	}
	if e := g.engine; len(e.numbers) < numbersKept && isNumbered(reflect.ValueOf(&k).Elem()) {
		if e.numbers == nil {
			e.numbers = make(map[any]int)
		}
		if _, known := e.numbers[any(k)]; !known {
			e.numbers[any(k)] = len(e.numbers) + 1
		}
	}
	leave(g)
	return k
}

// isNumbered says whether a key is told from others by an address: what only holds
// numbers and strings is sorted by these.
func isNumbered(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		return true
	case reflect.Interface:
		return !v.IsNil() && v.Elem().Comparable() && isNumbered(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if isNumbered(v.Field(i)) {
				return true
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if isNumbered(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// compareValues orders two values of one type by the numbers and strings in them.
func compareValues(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.Interface && !a.IsNil() && !b.IsNil():
		if a, b = a.Elem(), b.Elem(); a.Type() != b.Type() {
			return cmp.Compare(a.Type().String(), b.Type().String())
		}
		return compareValues(a, b)
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.CanComplex():
		x, y := a.Complex(), b.Complex()
		return cmp.Or(cmp.Compare(real(x), real(y)), cmp.Compare(imag(x), imag(y)))
	}
	switch a.Kind() {
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(b2i(a.Bool()), b2i(b.Bool()))
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareValues(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareValues(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	}
	return 0
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
