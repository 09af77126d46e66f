package spared

import (
	"reflect"
	"strings"
	"sync"
)

// shape is what a type looks like.
type shape struct {
	names []string
	index map[string]int
}

// Add is called while a shape is made.
func (s *shape) Add(name string) {
	s.index[name] = len(s.names)
	s.names = append(s.names, name)
}

func shapeOf(t reflect.Type, tag string) *shape {
	s := &shape{index: map[string]int{}}
	for i := range t.NumField() {
		s.Add(fieldName(t.Field(i), tag))
	}
	return s
}

func fieldName(f reflect.StructField, tag string) string {
	if name := f.Tag.Get(tag); name != "" {
		return strings.ToLower(name)
	}
	return f.Name
}

type shapeKey struct {
	typ reflect.Type
	tag string
}

// Shapes remembers what depends on the key alone: of two that compute it, either
// will do.
type Shapes struct {
	byType  sync.Map
	mu      sync.Mutex
	indexes map[reflect.Type]map[string]int
}

func (s *Shapes) Get(t reflect.Type, tag string) *shape {
	key := shapeKey{t, tag}
	if v, ok := s.byType.Load(key); ok {
		return v.(*shape)
	}
	v := shapeOf(t, tag)
	s.byType.Store(key, v)
	return v
}

func (s *Shapes) Index(t reflect.Type) map[string]int {
	s.mu.Lock()
	m, ok := s.indexes[t]
	s.mu.Unlock()
	if ok {
		return m
	}
	m = map[string]int{}
	for i := range t.NumField() {
		m[t.Field(i).Name] = i
	}
	s.mu.Lock()
	s.indexes[t] = m
	s.mu.Unlock()
	return m
}

// Rooms are made by those who pass make, who see to it that they are alone.
type Rooms struct{ byName sync.Map }

type room struct {
	mu    sync.Mutex
	users int
}

func (r *Rooms) get(name string, make bool) *room {
	if v, ok := r.byName.Load(name); ok {
		return v.(*room)
	}
	v := &room{}
	if make {
		r.byName.Store(name, v)
	}
	return v
}

func (r *Rooms) Look(name string) int { return r.get(name, false).users }

func (r *Rooms) Make(name string) { r.get(name, true) }
