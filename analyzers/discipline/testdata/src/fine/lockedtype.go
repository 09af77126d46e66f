package fine

import "sync"

// Spool is safe for concurrent use.
type Spool struct {
	mu     sync.Mutex
	atEnd  bool
	closed bool
	left   []byte
}

func (r *Spool) spoolLocked(p []byte) int {
	if r.atEnd {
		return 0
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	r.atEnd = len(r.left) == 0
	return n
}

func (r *Spool) Spool(p []byte) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spoolLocked(p)
}

// spoolerLocked reads from a Spool whose lock is held.
type spoolerLocked struct{ r *Spool }

func (l spoolerLocked) Read(p []byte) (int, error) { return l.r.spoolLocked(p), nil }

func (r *Spool) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	drainSpool(spoolerLocked{r})
	r.closed = true
}

func drainSpool(r interface{ Read(p []byte) (int, error) }) { r.Read(make([]byte, 64)) }
