package broken

import "sync"

type bucket struct {
	mu   sync.Mutex
	n    int
	rows map[string]int
}

// Buckets has a lock for each of its buckets.
type Buckets struct{ list [8]*bucket }

func (b *Buckets) of(k string) *bucket { return b.list[len(k)%len(b.list)] }

func (b *Buckets) Put(k string, n int) {
	x := b.of(k)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rows[k] = n
	x.n++
}

func (b *Buckets) Get(k string) int {
	x := b.of(k)
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.rows[k]
}

func (b *Buckets) Len() (n int) {
	for _, x := range b.list {
		x.mu.Lock()
		n += x.n
		x.mu.Unlock()
	}
	return n
}

func (b *Buckets) Drop(k string) {
	x := b.of(k)
	x.mu.Lock()
	delete(x.rows, k)
	x.n--
	x.mu.Unlock()
}

func (b *Buckets) Move(from, to string) {
	x := b.of(from)
	y := b.of(to)
	x.mu.Lock()
	defer x.mu.Unlock()
	n := x.rows[from]
	delete(x.rows, from)
	x.n--
	y.rows[to] = n // want `y.rows is written here under .*, which is the lock of another object`
}

func (b *Buckets) Copy(i, j int, k string) {
	b.list[i].mu.Lock()
	n := b.list[j].rows[k] // want `b.list\[j\].rows is read here under b.list\[i\].mu, which is the lock of another object`
	b.list[i].rows[k] = n
	b.list[i].mu.Unlock()
}

type purse struct {
	mu    sync.Mutex
	coins int
}

type Purses struct {
	mu sync.RWMutex
	by map[string]*purse
}

func (p *Purses) get(name string) *purse {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.by[name]
}

func (p *Purses) Coins(name string) int {
	x := p.get(name)
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.coins
}

func (p *Purses) Earn(name string, n int) {
	x := p.get(name)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.coins += n
}

func (p *Purses) Open(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.by[name] = &purse{}
}

func (p *Purses) Pay(from, to string, n int) {
	a, b := p.get(from), p.get(to)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.coins -= n
	b.coins += n // want `b.coins is written here under a.mu, which is the lock of another object`
}
