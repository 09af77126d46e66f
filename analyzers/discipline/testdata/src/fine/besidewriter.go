package fine

import "sync"

// Inspector asks from time to time; only its goroutine reads without the lock what it writes.
type Inspector struct {
	mu     sync.Mutex
	status int
	addr   string
}

func NewInspector() *Inspector {
	p := &Inspector{}
	go p.background()
	return p
}

func (p *Inspector) Status() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

func (p *Inspector) Addr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status != 1 {
		return ""
	}
	return p.addr
}

func (p *Inspector) background() {
	for {
		if p.status == 0 {
			print("wait")
		}
		p.detect()
	}
}

func (p *Inspector) detect() {
	p.mu.Lock()
	p.status = 1
	p.addr = "here"
	p.mu.Unlock()
}

// Whirl is drawn by a literal, which looks with the lock.
type Whirl struct {
	mu     sync.Mutex
	active bool
	last   string
	stopC  chan struct{}
}

func (w *Whirl) Start() {
	w.mu.Lock()
	if w.active {
		w.mu.Unlock()
		return
	}
	w.active = true
	w.mu.Unlock()
	go func() {
		for {
			select {
			case <-w.stopC:
				return
			default:
				w.mu.Lock()
				if !w.active {
					w.mu.Unlock()
					return
				}
				w.last += "."
				print(w.last)
				w.mu.Unlock()
			}
		}
	}()
}

func (w *Whirl) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.active {
		w.active = false
		print("\n")
		close(w.stopC)
	}
}
