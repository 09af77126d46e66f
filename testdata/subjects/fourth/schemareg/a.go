package schemareg

import (
	"fmt"
	"io"
	"net/http"
	"sync"
)

type loader = func() ([]byte, error)

type Registry struct {
	base   string
	client *http.Client
	cache  sync.Map // id int -> loader
}

func NewRegistry(base string, c *http.Client) *Registry {
	if c == nil {
		c = http.DefaultClient
	}
	return &Registry{base: base, client: c}
}

func (r *Registry) fetch(id int) ([]byte, error) {
	resp, err := r.client.Get(fmt.Sprintf("%s/schemas/%d", r.base, id))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("schema %d: %s", id, resp.Status)
	}
	return io.ReadAll(resp.Body)
}

func (r *Registry) Schema(id int) ([]byte, error) {
	v, ok := r.cache.Load(id)
	if !ok {
		once := sync.OnceValues(func() ([]byte, error) { return r.fetch(id) })
		v, _ = r.cache.LoadOrStore(id, loader(once))
	}
	return v.(loader)()
}

func (r *Registry) Warm(ids ...int) {
	for _, id := range ids {
		go func() { _, _ = r.Schema(id) }()
	}
}
