package fine

import "sync"

// Track takes frames for a reader until it is shut.
type Track struct {
	mu     sync.Mutex
	rw     sync.RWMutex
	gone   chan struct{}
	frames chan []byte
}

// Railway has tracks, whose frames its workers hand on.
type Railway struct {
	mu     sync.Mutex
	tracks map[int]*Track
}

func (r *Railway) track(n int) *Track {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tracks[n]
}

func (r *Railway) Run(in chan int) {
	for range 4 {
		go func() {
			for n := range in {
				r.handle(n, []byte{1})
			}
		}()
	}
}

// handle looks whether the track is shut while it holds the lock.
func (r *Railway) handle(n int, frame []byte) {
	t := r.track(n)
	if t == nil {
		return
	}
	t.rw.RLock()
	defer t.rw.RUnlock()
	select {
	case <-t.gone:
		return
	default:
	}
	select {
	case <-t.gone:
	case t.frames <- frame:
	}
}

// Shut waits for those that send now.
func (t *Track) Shut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.gone:
	default:
		close(t.gone)
		t.rw.Lock()
		defer t.rw.Unlock()
		close(t.frames)
	}
}
