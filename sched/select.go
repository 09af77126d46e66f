package sched

import "reflect"

// A Case is one case of a Select.
type Case struct {
	reflect reflect.SelectCase
	set     func(reflect.Value, bool)
}

// SendCase is case c <- v.
func SendCase[T any](c chan<- T, v T) Case {
	return Case{reflect: reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c), Send: reflect.ValueOf(&v).Elem()}}
}

// ReceiveCase is case *v, *ok = <-c; v and ok may be nil.
func ReceiveCase[T any](c <-chan T, v *T, ok *bool) Case {
	return Case{reflect: reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}, set: func(x reflect.Value, open bool) {
		if v != nil {
			reflect.ValueOf(v).Elem().Set(x)
		}
		if ok != nil {
			*ok = open
		}
	}}
}

// Select is a select statement: it performs one of the cases and returns its
// index. With block false it has a default case, whose index is -1. Without cases
// it blocks for ever.
func Select(block bool, cases ...Case) int {
	list := make([]reflect.SelectCase, 0, len(cases)+1)
	for _, c := range cases {
		list = append(list, c.reflect)
	}
	if !block {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, x, ok := reflect.Select(list)
	if i == len(cases) {
		return -1
	}
	if set := cases[i].set; set != nil {
		set(x, ok)
	}
	return i
}
