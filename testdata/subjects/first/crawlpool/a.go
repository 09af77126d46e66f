package crawlpool

import (
	"log/slog"
	"net/http"
	"sync"
)

type Pool struct {
	client *http.Client
	jobs   chan string
	max    int

	lk      sync.Mutex
	workers int
	visited map[string]int
}

func NewPool(max int) *Pool {
	return &Pool{
		client:  http.DefaultClient,
		jobs:    make(chan string, 128),
		max:     max,
		visited: make(map[string]int),
	}
}

func (p *Pool) Submit(url string) {
	if p.workers < p.max {
		p.lk.Lock()
		p.workers++
		p.lk.Unlock()
		go p.work()
	}
	p.jobs <- url
}

func (p *Pool) work() {
	defer func() {
		p.lk.Lock()
		p.workers--
		p.lk.Unlock()
	}()
	for u := range p.jobs {
		resp, err := p.client.Get(u)
		if err != nil {
			slog.Warn("fetch failed", "url", u, "err", err)
			continue
		}
		resp.Body.Close()
		p.lk.Lock()
		p.visited[u] = resp.StatusCode
		p.lk.Unlock()
	}
}

func (p *Pool) Pending() int { return len(p.jobs) }
