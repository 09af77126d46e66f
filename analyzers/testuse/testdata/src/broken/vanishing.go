package broken

import "sync"

type booth struct {
	calls int
	tags  map[string]bool
}

// BoothExchange deletes booths while others use them.
type BoothExchange struct {
	mu     sync.Mutex
	booths map[string]*booth
	labels map[string]map[string]string
}

func (x *BoothExchange) Close(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.booths, name)
	delete(x.labels, name)
}

func (x *BoothExchange) Dial(name string) bool {
	x.mu.Lock()
	_, ok := x.booths[name] // want `another goroutine can change x.booths\[name\] after it was tested and before it is used: x.mu is released in between`
	x.mu.Unlock()
	if !ok {
		return false
	}
	ring(name)
	x.mu.Lock()
	x.booths[name].calls++
	x.mu.Unlock()
	return true
}

func (x *BoothExchange) Tag(name, tag string) {
	x.mu.Lock()
	if x.booths[name] == nil { // want `another goroutine can change x.booths\[name\] after it was tested and before it is used: x.mu is released in between`
		x.mu.Unlock()
		return
	}
	x.mu.Unlock()
	ring(name)
	x.mu.Lock()
	defer x.mu.Unlock()
	b := x.booths[name]
	b.tags[tag] = true
}

func (x *BoothExchange) known(name string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, ok := x.labels[name]
	return ok
}

func (x *BoothExchange) Label(name, key, value string) {
	if !x.known(name) { // want `another goroutine can change x.labels \(in x.known\) after it was tested and before it is used: x.mu is released in between`
		return
	}
	x.mu.Lock()
	x.labels[name][key] = value
	x.mu.Unlock()
}

func (x *BoothExchange) Open(name, key string) {
	x.mu.Lock()
	if x.labels[name] == nil {
		x.labels[name] = map[string]string{} // want `another goroutine can delete x.labels\[name\] once x.mu is released after it was made sure of and before it is used here, which panics without it`
	}
	x.mu.Unlock()
	ring(name)
	x.mu.Lock()
	x.labels[name][key] = "open"
	x.mu.Unlock()
}

func (x *BoothExchange) Count(name string) {
	x.mu.Lock()
	if _, ok := x.booths[name]; !ok {
		x.booths[name] = &booth{} // want `another goroutine can delete x.booths\[name\] once x.mu is released after it was made sure of and before it is used here, which panics without it`
	}
	x.mu.Unlock()
	ring(name)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.booths[name].calls++
}

func ring(string) {}
