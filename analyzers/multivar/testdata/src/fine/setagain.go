package fine

import "sync"

// Verdict is safe for concurrent use.
type Verdict struct {
	mu     sync.Mutex
	before []string
	after  []string
}

// Compare sets both in one critical section, for each round anew.
func (v *Verdict) Compare(rounds <-chan [2][]string) {
	for r := range rounds {
		one, two := r[0], r[1]
		v.mu.Lock()
		v.before = one
		v.after = two
		v.mu.Unlock()
	}
}

func (v *Verdict) Both() ([]string, []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.before, v.after
}

// Progress is safe for concurrent use.
type Progress struct {
	mu    sync.Mutex
	reply string
	level int
}

func (p *Progress) update(reply string, level int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reply, p.level = reply, level
}

// Follow calls what sets both, again and again.
func (p *Progress) Follow(replies []string) {
	n, last := 0, ""
	for _, r := range replies {
		n++
		last = r
		p.update(last, n)
	}
	p.update(last, n)
}

func (p *Progress) Get() (string, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reply, p.level
}
