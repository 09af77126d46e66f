package fine

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Runes lets the losers wait.
type Runes struct {
	filled  atomic.Bool
	ready   chan struct{}
	letters map[rune]int
}

func (a *Runes) Index(r rune) int {
	if a.filled.CompareAndSwap(false, true) {
		a.letters = map[rune]int{'a': 1}
		a.tell()
	}
	<-a.ready
	return a.letters[r]
}

func (a *Runes) tell() { close(a.ready) }

// Glyphs refuses the losers.
type Glyphs struct {
	taken atomic.Bool
	width int
	mu    sync.Mutex
}

func (g *Glyphs) Take(width int) bool {
	if g.taken.CompareAndSwap(false, true) {
		g.width = width
		return true
	}
	return false
}

func (g *Glyphs) Width() int { return g.width }

// Warned notes when it has warned, for itself alone.
type Warned struct {
	once atomic.Bool
	at   time.Time
	n    atomic.Int64
}

func (w *Warned) Warn() *Warned {
	if w.once.CompareAndSwap(false, true) {
		w.at = time.Now()
	}
	w.n.Add(1)
	return w
}

// Inks takes a lock to read what may not be there yet.
type Inks struct {
	begun  atomic.Bool
	mu     sync.Mutex
	colour string
}

func (i *Inks) Colour() string {
	if i.begun.CompareAndSwap(false, true) {
		i.colour = "black"
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.colour
}

func (i *Inks) Change(colour string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.colour = colour
}

// WonDispatch is used by nobody but who has begun it.
type WonDispatch struct {
	begun atomic.Bool
	to    *strings.Builder
}

func (d *WonDispatch) Put(s string) (int, error) {
	first := d.begun.CompareAndSwap(false, true)
	if first {
		d.to = &strings.Builder{}
	}
	if !first {
		return 0, nil
	}
	return d.to.WriteString(s)
}

func (d *WonDispatch) Add(s string) (n int) {
	first := d.begun.CompareAndSwap(false, true)
	if first {
		d.to = &strings.Builder{}
		go d.run()
	}
	if s != "" && first {
		n, _ = d.to.WriteString(s)
	}
	return n
}

func (d *WonDispatch) run() {}
