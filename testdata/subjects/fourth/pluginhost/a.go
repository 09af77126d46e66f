package pluginhost

import (
	"fmt"
	"net/rpc"
	"sync"
)

type plugin struct {
	mu     sync.Mutex
	name   string
	client *rpc.Client
	calls  int
}

type Host struct {
	mu      sync.RWMutex
	plugins map[string]*plugin
}

func NewHost() *Host { return &Host{plugins: map[string]*plugin{}} }

func (h *Host) Load(name, addr string) error {
	c, err := rpc.Dial("unix", addr)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, dup := h.plugins[name]; dup {
		c.Close()
		return fmt.Errorf("plugin %q already loaded", name)
	}
	h.plugins[name] = &plugin{name: name, client: c}
	return nil
}

func (h *Host) Unload(name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	p, ok := h.plugins[name]
	if !ok {
		return fmt.Errorf("plugin %q not loaded", name)
	}
	delete(h.plugins, name)
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.client.Close()
	p.client = nil
	return err
}

func (h *Host) Invoke(name, method string, args, reply any) error {
	h.mu.RLock()
	p, ok := h.plugins[name]
	h.mu.RUnlock()
	if !ok {
		return fmt.Errorf("plugin %q not loaded", name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	return p.client.Call(name+"."+method, args, reply)
}
