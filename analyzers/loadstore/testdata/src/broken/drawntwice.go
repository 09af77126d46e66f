package broken

import "sync/atomic"

// Ring hands out its places in turn.
type Ring struct {
	places []string
	batch  int
	next   atomic.Uint32
	ids    atomic.Int64
	good   atomic.Uint32
	seen   atomic.Int64
	first  atomic.Int64
}

func (r *Ring) Next() string {
	if r.batch < 1 {
		r.batch = 1
	}
	n := r.next.Load() // want `two goroutines can both load r.next before either adds to it, and go on with the same number: use what Add returns`
	i := int(n) / r.batch
	r.next.Add(1)
	return r.places[i%len(r.places)]
}

func (r *Ring) ID() int64 {
	id := r.ids.Load() // want `two goroutines can both load r.ids before either adds to it`
	r.ids.Add(1)
	return id
}

// NextOnce uses what Add returns.
func (r *Ring) NextOnce() string {
	n := r.good.Add(1) - 1
	return r.places[int(n)%len(r.places)]
}

// See tells how many there were, roughly.
func (r *Ring) See() {
	println("so far", r.seen.Load())
	r.seen.Add(1)
}

// Early is right for all that come early, whatever the exact number.
func (r *Ring) Early() int64 {
	n := r.first.Load()
	if n > 100 {
		return 0
	}
	r.first.Add(1)
	return n
}

// writer is the one goroutine that fills its buffer.
type writer struct {
	slots [8]string
	at    atomic.Int64
	in    chan string
}

func (w *writer) run() {
	for s := range w.in {
		n := w.at.Load()
		w.at.Add(1)
		w.slots[n%8] = s
	}
}

func StartWriter() *writer {
	w := &writer{in: make(chan string)}
	go w.run()
	return w
}
