package templatecache

import (
	"bytes"
	"sync"
	"sync/atomic"
	"text/template"
)

type compiled struct {
	tpl   *template.Template
	execs atomic.Int64
}

type Engine struct {
	load func(name string) (string, error)

	mu    sync.RWMutex
	cache map[string]*compiled
}

func NewEngine(load func(string) (string, error)) *Engine {
	return &Engine{load: load, cache: map[string]*compiled{}}
}

func (e *Engine) lookup(name string) (*compiled, error) {
	e.mu.RLock()
	c, ok := e.cache[name]
	e.mu.RUnlock()
	if ok {
		return c, nil
	}
	src, err := e.load(name)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	t, err := template.New(name).Parse(src)
	if err != nil {
		return nil, err
	}
	c = &compiled{tpl: t}
	e.cache[name] = c
	return c, nil
}

func (e *Engine) Render(name string, data any) ([]byte, error) {
	c, err := e.lookup(name)
	if err != nil {
		return nil, err
	}
	c.execs.Add(1)
	var b bytes.Buffer
	if err := c.tpl.Execute(&b, data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
