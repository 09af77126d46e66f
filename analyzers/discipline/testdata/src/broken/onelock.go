package broken

import "sync"

// OneLedger has one lock for all that changes of it.
type OneLedger struct {
	mu     sync.Mutex
	name   string
	shut   bool
	lines  []string
	notes  []string
	labels map[string]string
	total  int
	limit  int
}

func NewOneLedger(name string) *OneLedger { return &OneLedger{name: name, labels: map[string]string{}} }

func (l *OneLedger) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.shut {
		l.lines = append(l.lines, line)
	}
}

func (l *OneLedger) Note(text string) {
	if text == "" {
		return
	}
	l.notes = append(l.notes, text) // want `l.notes is accessed here without a lock, and in \(\*OneLedger\).Shut under l.mu, the one lock of OneLedger, which guards all else that changes of it`
}

// Label stores an entry of a map that Shut walks through.
func (l *OneLedger) Label(key, value string) {
	switch key {
	case "":
		return
	default:
		l.labels[key] = value // want `l.labels\[key\] is accessed here without a lock`
	}
}

func (l *OneLedger) Spend(n int) {
	func() {
		l.total += n // want `l.total is accessed here without a lock`
	}()
}

func (l *OneLedger) Shut() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shut = true
	for range l.labels {
		n++
	}
	return n + len(l.notes) + l.total
}

func (l *OneLedger) Cap() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limit
}

// SetLimit is a setting: it is made before others come, for all that is known.
func (l *OneLedger) SetLimit(n int) { l.limit = n }

// OneRegister embeds its lock.
type OneRegister struct {
	sync.RWMutex
	entries map[string]int
	names   []string
	open    bool
}

func (r *OneRegister) Put(key string, v int) {
	r.Lock()
	r.entries[key] = v
	r.names = append(r.names, key)
	r.Unlock()
}

func (r *OneRegister) Drop(key string) {
	r.Lock()
	delete(r.entries, key)
	r.names = nil
	r.open = false
	r.Unlock()
}

func (r *OneRegister) Begin() { // a method by whose name it is readied
	r.RLock()
	defer r.RUnlock()
	_ = r.open
}

// Names reads without a lock what two others hold it for.
func (r *OneRegister) Names() []string {
	return r.names // want `r.names is accessed here without a lock`
}

// OneOfTwoLocks has a lock for each half: nothing is known of the rest.
type OneOfTwoLocks struct {
	mu, wmu sync.Mutex
	in, out []int
	extra   []int
}

func (t *OneOfTwoLocks) In(i int) {
	t.mu.Lock()
	t.in = append(t.in, i)
	t.mu.Unlock()
}

func (t *OneOfTwoLocks) Out(i int) {
	t.wmu.Lock()
	t.out = append(t.out, i)
	t.wmu.Unlock()
}

func (t *OneOfTwoLocks) Extra(i int) { t.extra = append(t.extra, i) }

func (t *OneOfTwoLocks) Sum() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.in) + len(t.extra)
}

// OneLoop has a goroutine of its own, which alone changes the pending.
type OneLoop struct {
	mu      sync.Mutex
	pending []int
	state   string
	ended   bool
}

func NewOneLoop() *OneLoop {
	l := &OneLoop{}
	go l.run()
	return l
}

func (l *OneLoop) run() {
	for i := 0; ; i++ {
		l.mu.Lock()
		l.pending = append(l.pending, i)
		over := l.ended
		l.mu.Unlock()
		if over {
			return
		}
	}
}

func (l *OneLoop) Shut() {
	l.mu.Lock()
	l.ended = true
	l.state = "shut"
	l.mu.Unlock()
}

func (l *OneLoop) State() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// shorten is called with the lock held.
func (l *OneLoop) shorten() { l.state = l.state[:1] }

func (l *OneLoop) Short() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shorten()
}
