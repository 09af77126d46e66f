package fine

import "sync"

// A Pipeline gives its listeners what comes in, with their locks held.
type Pipeline struct {
	in    chan string
	mu    sync.Mutex
	horns map[string]*Horn
}

// A Horn listens until it has had enough.
type Horn struct {
	mu      sync.Mutex
	stopped bool
	words   chan string
}

func (c *Pipeline) Dial() {
	go func() {
		for word := range c.in {
			c.mu.Lock()
			h := c.horns[word]
			c.mu.Unlock()
			if h == nil {
				continue
			}
			h.mu.Lock()
			if !h.stopped {
				h.words <- word
			}
			h.mu.Unlock()
		}
	}()
}

func (c *Pipeline) Listen(to string) *Horn {
	h := &Horn{words: make(chan string, 1)}
	c.mu.Lock()
	c.horns[to] = h
	c.mu.Unlock()
	return h
}

func (h *Horn) Leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.stopped {
		close(h.words)
	}
	h.stopped = true
}

// A Reel is wound by one goroutine, which also closes what it sends on.
type Reel struct {
	in    chan string
	mu    sync.Mutex
	ended bool
	out   chan string
}

func (r *Reel) Wind() {
	go func() {
		for word := range r.in {
			if word == "" {
				r.end()
			}
			if !r.ended {
				r.out <- word
			}
		}
	}()
}

func (r *Reel) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		close(r.out)
	}
	r.ended = true
}

func (r *Reel) Ended() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}
