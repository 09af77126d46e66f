package fine

import "sync"

type ticket struct {
	owner string // changes
	price int    // changes until the ticket is listed
	state string
	err   error
	done  chan struct{}
}

// Tickets keeps its rule: what changes is read under the lock, and what is read without it
// does not change any more.
type Tickets struct {
	mu   sync.Mutex
	all  map[string]*ticket
	used map[string]*ticket
}

// List changes what it alone has.
func (t *Tickets) List(name string, k *ticket) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k.price++
	t.all[name] = k
}

func (t *Tickets) Give(name, owner string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.all[name]
	if k == nil {
		k = new(ticket)
		k.price = 1
		t.all[name] = k
	}
	k.owner = owner
}

func (t *Tickets) Price(name string) int {
	t.mu.Lock()
	k := t.all[name]
	t.mu.Unlock()
	return k.price
}

// Owner reads under the lock.
func (t *Tickets) Owner(name string) string {
	t.mu.Lock()
	k := t.all[name]
	owner := k.owner
	t.mu.Unlock()
	return owner
}

// Take has removed the ticket, so that nobody else finds it.
func (t *Tickets) Take(name string) string {
	t.mu.Lock()
	k := t.all[name]
	delete(t.all, name)
	t.mu.Unlock()
	return k.owner
}

func (t *Tickets) finish(name string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.all[name]; k != nil {
		k.err = err
		close(k.done)
	}
}

func (t *Tickets) Finish(name string, err error) { t.finish(name, err) }

// Wait reads what was written before the channel was closed.
func (t *Tickets) Wait(name string) error {
	t.mu.Lock()
	k := t.all[name]
	t.mu.Unlock()
	<-k.done
	return k.err
}

// Copy has a copy of its own.
func (t *Tickets) Copy(name string) string {
	t.mu.Lock()
	k := *t.all[name]
	t.mu.Unlock()
	return k.owner
}
