// Sections that begin or end with what a method does to one entry of a map.
package main

import (
	"context"
	"fmt"
	"sync"
)

type stock struct {
	mu    sync.Mutex
	count map[string]int
	price sync.Map
}

func (s *stock) get(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[name]
}

func (s *stock) set(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == nil {
		s.count = map[string]int{}
	}
	s.count[name] = n
}

func (s *stock) drop(why error, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.count, name)
	fmt.Println("dropped", name, why)
}

// find has its key behind another parameter.
func (s *stock) find(ctx context.Context, name string) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[name], ctx.Err()
}

func (s *stock) add(name string, n int) { s.set(name, s.get(name)+n) }

func name(part string) string {
	fmt.Println("named", part)
	return part + "s"
}

func theStock() *stock { return &all }

var all stock

// evaluatedOnce has operands that may not be evaluated twice.
func evaluatedOnce() {
	if theStock().get(name("screw")) == 0 {
		theStock().set(name("screw"), 7)
	}
}

func (s *stock) clear(name string) {
	if s.get(name) < 1 {
		s.drop(nil, name)
	}
}

// locate begins with a call whose key is behind another argument.
func (s *stock) locate(ctx context.Context, name string) error {
	n, err := s.find(ctx, name)
	if n == 0 {
		s.drop(err, name)
	}
	return err
}

func (s *stock) cost(name string) any {
	v, _ := s.price.Load(name)
	return v
}

func (s *stock) setCost(name string, n int) { s.price.Store(name, n) }

func (s *stock) raise(name string) {
	if s.cost(name) == nil {
		s.setCost(name, 2)
	}
}

// cache is generic.
type cache[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

func (c *cache[K, V]) get(k K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok = c.known[k]
	return v, ok
}

func (c *cache[K, V]) set(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[k] = v
}

func (c *cache[K, V]) getOr(k K, v V) V {
	if old, ok := c.get(k); ok {
		return old
	}
	c.set(k, v)
	return v
}

func fill(c *cache[int, string], at int) {
	if _, ok := c.get(at); !ok {
		c.set(at, "filled")
	}
}

func main() {
	var s stock
	s.add("nails", 2)
	s.add("nails", 3)
	evaluatedOnce()
	evaluatedOnce()
	s.clear("nails")
	s.clear("bolts")
	s.raise("nails")
	s.raise("nails")
	fmt.Println(s.get("nails"), all.get("screws"), s.cost("nails"))
	fmt.Println(s.locate(context.Background(), "nails"))
	c := &cache[int, string]{known: map[int]string{}}
	fmt.Println(c.getOr(1, "one"), c.getOr(1, "two"), len(c.known))
	fill(c, 1)
	fill(c, 2)
	fmt.Println(c.get(2))
	func() {
		defer func() { fmt.Println("recovered:", recover() != nil) }()
		(*stock)(nil).add("nails", 1)
	}()
	func() {
		defer func() { fmt.Println("recovered:", recover() != nil) }()
		(&cache[any, int]{known: map[any]int{}}).getOr([]int{}, 1)
	}()
}
