// Maps: entries, comma-ok, len, range, delete, clear, interface keys, maps in
// maps, nil maps.
package main

import (
	"fmt"
	"sort"
)

type kind string

type store struct {
	m       map[string]int
	byKind  map[kind]*store
	byAny   map[any]string
	nested  map[string]map[int]bool
	structs map[string]struct{ a, b int }
	flags   map[string]flag
	set     map[[2]int]struct{}
	bools   map[bool]int
	wide    map[int64]int
}

type flag bool

var registry = map[string]*store{}

func name(s string) string {
	fmt.Println("name", s)
	return s
}

func main() {
	s := &store{
		m: map[string]int{}, byKind: map[kind]*store{}, byAny: map[any]string{},
		nested: map[string]map[int]bool{}, structs: map[string]struct{ a, b int }{},
		flags: map[string]flag{}, set: map[[2]int]struct{}{}, bools: map[bool]int{}, wide: map[int64]int{},
	}
	registry[name("main")] = s
	registry["main"].m["a"] = 1
	s.m[name("b")] = len(name("bb"))
	v, ok := s.m["a"]
	_, missing := s.m["zz"]
	fmt.Println(v, ok, missing, s.m["none"], len(s.m))
	if v, ok := s.m["b"]; ok {
		fmt.Println("b is", v)
	}
	s.byKind["x"] = s
	s.byKind[kind(name("y"))] = nil
	fmt.Println(s.byKind["x"] == s, s.byKind["y"] == nil, s.byKind["x"].m["a"])
	s.byAny[1] = "int"
	s.byAny["1"] = "string"
	s.byAny[kind("k")] = "kind"
	s.byAny[nil] = "nil"
	fmt.Println(s.byAny[1], s.byAny["1"], s.byAny[kind("k")], s.byAny[nil], len(s.byAny[2]))
	s.nested["a"] = map[int]bool{1: true}
	s.nested["a"][2] = len(s.m) > 100
	fmt.Println(s.nested["a"][1], s.nested["b"][1], len(s.nested["a"]))
	fmt.Println(s.structs["none"].a)
	s.structs["one"] = struct{ a, b int }{1, 2}
	fmt.Println(s.structs["one"].b)
	s.flags["f"] = v > 0
	fmt.Println(s.flags["f"])
	s.set[[2]int{1, 2}] = struct{}{}
	_, in := s.set[[2]int{1, 2}]
	fmt.Println(in)
	s.bools[v > 0]++
	s.bools[v < 0] = 4
	n := uint(2)
	s.wide[1<<n] = 5
	s.wide['a'] = 6
	fmt.Println(s.bools, s.wide)
	s.m["c"], s.m["a"] = s.m["a"], 30
	var keys []string
	for k := range s.m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	sum := 0
	for _, v := range s.m {
		sum += v
	}
scan:
	for k, v := range s.m {
		switch {
		case v < 0:
			continue scan
		case k == "impossible":
			break scan
		}
	}
	fmt.Println(keys, sum)
	delete(s.m, name("b"))
	delete(registry["main"].m, "zz")
	delete(s.byAny, nil)
	fmt.Println(len(s.m), len(s.byAny))
	clear(s.m)
	fmt.Println(len(s.m))
	defer delete(s.byKind, "x")
	var none store
	p := &none
	fmt.Println(p.m["x"], len(p.m))
	delete(p.m, "x")
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		p.m["x"] = 1
	}()
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		s.byAny[[]int{1}] = "slice"
	}()
}
