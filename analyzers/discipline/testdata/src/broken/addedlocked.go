package broken

import "sync"

// Relay passes lines on, through what was hooked in.
type Relay struct {
	mu     sync.RWMutex
	hooks  []func(string) string
	sinks  map[string]func(string)
	out    chan string
	stages []func(string) string
	count  int
}

// Pass walks through the hooks.
func (r *Relay) Pass(line string) {
	for _, h := range r.hooks { // want `r\.hooks is read here without r\.mu, which all functions hold that write it, as \(\*Relay\)\.Hook does`
		line = h(line)
	}
	r.out <- line
}

func (r *Relay) Hook(h func(string) string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hooks = append(r.hooks, h)
}

func (r *Relay) Sink(name string, to func(string)) {
	r.mu.Lock()
	r.sinks[name] = to
	r.mu.Unlock()
}

func (r *Relay) SinkOf(name string) func(string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sinks[name]
}

// Booster has a client that it starts with, and others after it.
type Booster struct {
	mu   sync.RWMutex
	line *hose
}

type hose struct{ n int }

func (h *hose) Stop() error     { h.n = 0; return nil }
func (h *hose) Push(s int) bool { return s > h.n }

func (p *Booster) Start() error {
	p.line = &hose{}
	return nil
}

func (p *Booster) Stop() error { return p.line.Stop() } // want `p\.line is read here without p\.mu, which all functions but the one that starts it hold that write it, as \(\*Booster\)\.Exchange does`

func (p *Booster) Exchange() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = &hose{n: 1}
}

func (p *Booster) Push(n int) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.line.Push(n)
}
