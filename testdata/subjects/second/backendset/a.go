package backendset

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

type Balancer struct {
	client *http.Client

	mu       sync.Mutex
	backends []string
	cursor   int
}

func New(urls []string, every time.Duration) *Balancer {
	b := &Balancer{client: &http.Client{Timeout: 2 * time.Second}, backends: slices.Clone(urls)}
	go func() {
		for range time.Tick(every) {
			b.checkAll()
		}
	}()
	return b
}

func (b *Balancer) Add(url string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.backends, url) {
		b.backends = append(b.backends, url)
	}
}

func (b *Balancer) Pick() (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.backends) == 0 {
		return "", false
	}
	b.cursor++
	return b.backends[b.cursor%len(b.backends)], true
}

func (b *Balancer) checkAll() {
	if !b.mu.TryLock() {
		return
	}
	candidates := slices.Clone(b.backends)
	b.mu.Unlock()

	alive := make([]string, 0, len(candidates))
	for _, u := range candidates {
		resp, err := b.client.Get(u + "/healthz")
		if err != nil {
			continue
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			alive = append(alive, u)
		}
	}

	b.mu.Lock()
	b.backends = alive
	b.mu.Unlock()
}
