package doubt

import (
	"reflect"
	"sync"
)

// codecs are found by a number and by their type.
var (
	codecs sync.Map
	names  = map[int]string{}
)

// Unregister takes away what there is, which is gone then, however often.
func Unregister(id int) {
	t, ok := codecs.Load(id) // want `codecs\[id\] .* \(doubtful: to do it twice is to do it once\)`
	if !ok {
		return
	}
	codecs.Delete(id)
	delete(names, id)
	typ := t.(reflect.Type)
	codecs.Delete(typ)
	if typ.Kind() == reflect.Pointer {
		codecs.Delete(typ.Elem())
	}
}

// Withdraw gives what it has taken away to its caller, and so does the second one.
func Withdraw(id int) reflect.Type {
	t, ok := codecs.Load(id) // want `both pass the test of codecs\[id\] and both delete it: Load and Delete are two operations$`
	if !ok {
		return nil
	}
	codecs.Delete(id)
	typ := t.(reflect.Type)
	codecs.Delete(typ)
	return typ
}

// Retire ends what it has found, twice perhaps.
func Retire(id int) {
	t, ok := codecs.Load(id) // want `both pass the test of codecs\[id\] and both delete it: Load and Delete are two operations$`
	if !ok {
		return
	}
	codecs.Delete(id)
	t.(interface{ Retire() }).Retire()
}

func Register(id int, typ reflect.Type) {
	codecs.Store(id, typ)
	codecs.Store(typ, id)
}
