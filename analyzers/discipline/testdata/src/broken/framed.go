package broken

import (
	"fmt"
	"net/http"
	"sync"
)

// A conversation is lent to a goroutine that ends it.
type conversation struct {
	mu   sync.Mutex
	line *cable
	said []string
}

type cable struct{ open bool }

func (t *cable) hangUp() { t.open = false }

func (d *conversation) Answer(word string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if word == "hello" {
		d.ready()
	}
	d.said = append(d.said, word)
}

func (d *conversation) ready() {
	if d.line != nil {
		return
	}
	d.line = &cable{open: true}
	go d.listen()
}

func (d *conversation) listen() {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Println(d.said)
	d.line = nil
}

func (d *conversation) End() {
	if d.line != nil { // want `d.line is tested here without d.mu, which all functions hold that write it, as \(\*conversation\).ready does`
		d.line.hangUp()
	}
}

type switchboard struct{ words []string }

func (x *switchboard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d := &conversation{}
	for _, word := range x.words {
		d.Answer(word)
	}
	d.End()
}

// A parley is kept where other requests find it.
type parley struct {
	mu   sync.Mutex
	line *cable
}

func (d *parley) Answer(word string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if word == "hello" {
		d.ready()
	}
}

func (d *parley) ready() {
	if d.line != nil {
		return
	}
	d.line = &cable{open: true}
}

func (d *parley) End() {
	if d.line != nil { // want `d.line is tested here without d.mu, which all functions hold that write it, as \(\*parley\).ready does`
		d.line.hangUp()
	}
}

type parleys struct {
	mu sync.Mutex
	of map[string]*parley
}

func (x *parleys) of1(name string) *parley {
	x.mu.Lock()
	defer x.mu.Unlock()
	d := x.of[name]
	if d == nil {
		d = &parley{}
		x.of[name] = d
	}
	return d
}

func (x *parleys) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d := x.of1(r.URL.Path)
	d.Answer(r.Method)
	d.End()
}

// routesOf is written with its lock held for reading, as all that is of the package.
var (
	routesOf   = map[string]int{}
	routesLock sync.RWMutex
)

func routeOf(name string) int {
	routesLock.RLock()
	defer routesLock.RUnlock()
	return routesOf[name]
}

func setRoute(name string, to int) {
	routesLock.RLock()
	defer routesLock.RUnlock()
	routesOf[name] = to // want `routesOf\[name\] is written here with routesLock held for reading only, which others can do at the same time`
}

func serveRoute(w http.ResponseWriter, r *http.Request) {
	setRoute(r.Host, routeOf(r.URL.Path)+1)
}
