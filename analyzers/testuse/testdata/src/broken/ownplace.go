package broken

import (
	"io"
	"net/http"
	"sync"
)

type trunkCaller struct {
	name string
	c    io.ReadCloser
}

// TrunkOffice keeps the last line of each name, and a line that ends takes the name with it.
type TrunkOffice struct {
	mu    sync.RWMutex
	lines map[string]*trunkCaller
	rooms map[string]io.Closer
}

func (x *TrunkOffice) talk(name string, c io.ReadCloser) {
	line := &trunkCaller{name, c}
	x.mu.Lock()
	if old := x.lines[name]; old != nil {
		old.c.Close()
	}
	x.lines[name] = line // want `the next call puts its own in the place of this one, as this one does with what was in TrunkOffice.lines\[\], and loses it where this one deletes the key under x.mu without a look`
	x.mu.Unlock()
	io.Copy(io.Discard, c)
	x.mu.Lock()
	delete(x.lines, name)
	x.mu.Unlock()
}

func (x *TrunkOffice) Call(name string, c io.ReadCloser) { go x.talk(name, c) }

func (x *TrunkOffice) enter(name string, c io.Closer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if old, ok := x.rooms[name]; ok {
		old.Close()
	}
	x.rooms[name] = c
}

func (x *TrunkOffice) leave(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.rooms, name)
}

func (x *TrunkOffice) Room(name string, c io.ReadCloser) error {
	x.enter(name, c) // want `the next call puts its own in the place of this one, as this one does with what was in TrunkOffice.rooms\[\]`
	defer x.leave(name)
	_, err := io.Copy(io.Discard, c)
	return err
}

func (x *TrunkOffice) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	x.enter(name, r.Body) // want `the next call puts its own in the place of this one, as this one does with what was in TrunkOffice.rooms\[\]`
	io.Copy(w, r.Body)
	x.leave(name)
}
