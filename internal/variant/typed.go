package variant

import (
	"go/types"
	"strings"

	"github.com/dave/dst"
)

// syncMapTyped puts a generic type around fields that are a sync.Map.
func syncMapTyped(p *program) {
	name := ""
	for _, s := range p.structs() {
		for _, f := range s.syntax.Fields.List {
			if len(f.Names) != 1 || s.setsField(f.Names[0].Name) {
				continue
			}
			field := p.defines(f.Names[0])
			if field == nil || types.TypeString(field.Type(), nil) != "sync.Map" {
				continue
			}
			if name == "" {
				name = p.fresh("typed")
				p.declare("type " + name + "[K comparable, V any] struct { m sync.Map }\n" + strings.ReplaceAll(typedMethods, "NAME", name))
			}
			f.Type = expression(name + "[any, any]{}").(*dst.CompositeLit).Type
			p.changed = true
		}
	}
}

const typedMethods = `
func (t *NAME[K, V]) Load(k K) (V, bool) {
	v, ok := t.m.Load(k)
	if !ok {
		var none V
		return none, false
	}
	return v.(V), true
}

func (t *NAME[K, V]) Store(k K, v V) { t.m.Store(k, v) }

func (t *NAME[K, V]) Delete(k K) { t.m.Delete(k) }

func (t *NAME[K, V]) LoadOrStore(k K, v V) (V, bool) {
	was, loaded := t.m.LoadOrStore(k, v)
	return was.(V), loaded
}

func (t *NAME[K, V]) LoadAndDelete(k K) (V, bool) {
	v, ok := t.m.LoadAndDelete(k)
	if !ok {
		var none V
		return none, false
	}
	return v.(V), true
}

func (t *NAME[K, V]) Swap(k K, v V) (V, bool) {
	was, ok := t.m.Swap(k, v)
	if !ok {
		var none V
		return none, false
	}
	return was.(V), true
}

func (t *NAME[K, V]) CompareAndSwap(k K, old, v V) bool { return t.m.CompareAndSwap(k, old, v) }

func (t *NAME[K, V]) CompareAndDelete(k K, old V) bool { return t.m.CompareAndDelete(k, old) }

func (t *NAME[K, V]) Range(do func(K, V) bool) {
	t.m.Range(func(k, v any) bool { return do(k.(K), v.(V)) })
}
`
