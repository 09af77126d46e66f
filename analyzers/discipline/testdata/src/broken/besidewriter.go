package broken

import "sync"

// Prober asks from time to time whether it can be reached.
type Prober struct {
	mu     sync.Mutex
	status int
	addr   string
}

func NewProber() *Prober {
	p := &Prober{}
	go p.background()
	return p
}

func (p *Prober) Status() int {
	return p.status // want `p.status is accessed here without the lock that all other functions hold for it: p.mu in \(\*Prober\).detect`
}

func (p *Prober) Addr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status != 1 {
		return ""
	}
	return p.addr
}

func (p *Prober) background() {
	for {
		if p.status == 0 {
			print("wait")
		}
		p.detect()
	}
}

func (p *Prober) detect() {
	p.mu.Lock()
	p.status = 1
	p.addr = "here"
	p.mu.Unlock()
}

// Wheel is drawn by a literal.
type DrawnWheel struct {
	mu     sync.Mutex
	active bool
	last   string
	stopC  chan struct{}
}

func (w *DrawnWheel) Active() bool { return w.active }

func (w *DrawnWheel) Start() {
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
				if !w.active { // want `w.active is tested here without w.mu, which all functions hold that write it, as \(\*DrawnWheel\).Stop does`
					return
				}
				w.mu.Lock()
				w.last += "."
				print(w.last)
				w.mu.Unlock()
			}
		}
	}()
}

func (w *DrawnWheel) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.active {
		w.active = false
		print("\n")
		w.stopC <- struct{}{}
	}
}
