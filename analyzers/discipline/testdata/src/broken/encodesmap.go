package broken

import (
	"encoding/json"
	"maps"
	"reflect"
	"sync"
)

// Gazebo hands its maps to functions of other packages.
type Gazebo struct {
	mu     sync.Mutex
	plants map[string]int
	prices map[string]int
	owners map[string]string
	labels tagSet
	marks  genericSet[string]
}

type tagSet map[string]bool

func (s tagSet) stick(tag string) { s[tag] = true }

func (s tagSet) names() (names []string) {
	for name := range s {
		names = append(names, name)
	}
	return names
}

type genericSet[T comparable] map[T]struct{}

func (s genericSet[T]) Put(x T)  { s[x] = struct{}{} }
func (s genericSet[T]) Drop(x T) { delete(s, x) }

func (s genericSet[T]) Each() (list []T) {
	for x := range s {
		list = append(list, x)
	}
	return list
}

func NewGazebo() *Gazebo {
	return &Gazebo{plants: map[string]int{}, prices: map[string]int{}, owners: map[string]string{}, labels: tagSet{}, marks: genericSet[string]{}}
}

// Plant plants one.
func (g *Gazebo) Plant(name, owner string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.plants[name]++
	maps.Copy(g.prices, map[string]int{name: len(name)})
	g.owners[name] = owner
	g.labels.stick(name)
	g.marks.Put(name)
}

// Pull pulls one out.
func (g *Gazebo) Pull(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.plants, name)
	maps.DeleteFunc(g.prices, func(k string, _ int) bool { return k == name })
	delete(g.owners, name)
	delete(g.labels, name)
	g.marks.Drop(name)
}

// Save returns the plants as text.
func (g *Gazebo) Save() ([]byte, error) {
	return json.Marshal(g.plants) // want `json.Marshal looks into g.plants here without g.mu, which all functions hold that change it, as \(\*Gazebo\).Plant does`
}

// Total adds the prices.
func (g *Gazebo) Total() (sum int) {
	for _, price := range maps.All(g.prices) { // want `maps.All looks into g.prices here without g.mu, which all functions hold that change it, as \(\*Gazebo\).Plant does`
		sum += price
	}
	return sum
}

// Describe says whether somebody owns any.
func (g *Gazebo) Describe() string {
	if reflect.DeepEqual(g.owners, map[string]string{}) { // want `reflect.DeepEqual looks into g.owners here without g.mu`
		return "nobody's"
	}
	return "somebody's"
}

// Labels returns the labels.
func (g *Gazebo) Labels() []string {
	return g.labels.names() // want `g.labels.names looks into g.labels here without g.mu`
}

// Marks returns the marks.
func (g *Gazebo) Marks() []string {
	return g.marks.Each() // want `g.marks.Each looks into g.marks here without g.mu`
}
