package broken

import "sync"

type Registry struct {
	mu    sync.Mutex
	conns map[int]*conn
	pools map[string]map[int]*conn
}

func (r *Registry) Add(id int, c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns[id] = c
}

func (r *Registry) Users() int {
	r.mu.Lock()
	conns := r.conns // want `conns is the map r.conns itself, not a copy; it is used after r.mu was released`
	r.mu.Unlock()
	n := 0
	for _, c := range conns {
		n += c.users
	}
	return n
}

func (r *Registry) Pooled(name string, id int) *conn {
	r.mu.Lock()
	pool, ok := r.pools[name] // want `pool is the map r.pools\[name\] itself`
	if !ok {
		pool = map[int]*conn{}
		r.pools[name] = pool
	}
	r.mu.Unlock()
	c, ok := pool[id]
	if !ok {
		c = &conn{}
		pool[id] = c
	}
	return c
}

// Copied copies the entries under the lock.
func (r *Registry) Copied() int {
	r.mu.Lock()
	conns := make(map[int]*conn)
	for id, c := range r.conns {
		conns[id] = c
	}
	r.mu.Unlock()
	return len(conns)
}

// Close takes the map away from everybody else.
func (r *Registry) Close() {
	r.mu.Lock()
	conns := r.conns
	r.conns = nil
	r.mu.Unlock()
	for _, c := range conns {
		c.users = 0
	}
}

// Count walks through the inner map, to which Put adds.
func (r *Registry) Count(name string) int {
	r.mu.Lock()
	pool := r.pools[name] // want `pool is the map r.pools\[name\] itself`
	r.mu.Unlock()
	n := 0
	for _, c := range pool {
		n += c.users
	}
	return n
}

func (r *Registry) Put(name string, id int, c *conn) {
	r.mu.Lock()
	r.pools[name][id] = c
	r.mu.Unlock()
}
