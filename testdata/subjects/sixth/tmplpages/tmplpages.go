// Package tmplpages renders pages and parses their templates when they are first wanted.
package tmplpages

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"sync"
	"sync/atomic"
	"time"
)

var ErrNoPage = errors.New("tmplpages: no such page")

type page struct {
	tmpl    *template.Template
	parsed  time.Time
	renders atomic.Int64
}

type Option func(*Set)

func WithFuncs(m template.FuncMap) Option   { return func(s *Set) { s.funcs = m } }
func WithLogger(l *slog.Logger) Option      { return func(s *Set) { s.log = l } }
func WithLayouts(patterns ...string) Option { return func(s *Set) { s.layouts = patterns } }

type Set struct {
	fsys    fs.FS
	funcs   template.FuncMap
	layouts []string
	log     *slog.Logger
	bufs    sync.Pool

	rw    sync.RWMutex
	pages map[string]*page
	spare int
}

func New(fsys fs.FS, opts ...Option) *Set {
	s := &Set{fsys: fsys, log: slog.Default(), pages: make(map[string]*page)}
	s.bufs.New = func() any { return new(bytes.Buffer) }
	for _, o := range opts {
		o(s)
	}
	return s
}

func (s *Set) page(name string) (*page, error) {
	s.rw.RLock()
	p, ok := s.pages[name]
	s.rw.RUnlock()
	if ok {
		return p, nil
	}

	t, err := s.parse(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: %s", ErrNoPage, name)
		}
		return nil, err
	}

	s.rw.Lock()
	defer s.rw.Unlock()
	if winner, ok := s.pages[name]; ok {
		s.spare++
		return winner, nil
	}
	p = &page{tmpl: t, parsed: time.Now()}
	s.pages[name] = p
	s.log.Debug("page parsed", "name", name)
	return p, nil
}

func (s *Set) parse(name string) (*template.Template, error) {
	src, err := fs.ReadFile(s.fsys, path.Join("pages", name+".html"))
	if err != nil {
		return nil, err
	}
	t := template.New(name).Funcs(s.funcs)
	if len(s.layouts) > 0 {
		if t, err = t.ParseFS(s.fsys, s.layouts...); err != nil {
			return nil, fmt.Errorf("tmplpages: layouts: %w", err)
		}
	}
	if t, err = t.Parse(string(src)); err != nil {
		return nil, fmt.Errorf("tmplpages: %s: %w", name, err)
	}
	return t, nil
}

// Render writes the page to w, or nothing if the template fails.
func (s *Set) Render(w io.Writer, name string, data any) error {
	p, err := s.page(name)
	if err != nil {
		return err
	}
	buf := s.bufs.Get().(*bytes.Buffer)
	defer s.bufs.Put(buf)
	buf.Reset()
	if err := p.tmpl.Execute(buf, data); err != nil {
		return fmt.Errorf("tmplpages: render %s: %w", name, err)
	}
	p.renders.Add(1)
	_, err = buf.WriteTo(w)
	return err
}

// Renders reports how often each page was rendered.
func (s *Set) Renders() map[string]int64 {
	s.rw.RLock()
	defer s.rw.RUnlock()
	out := make(map[string]int64, len(s.pages))
	for n, p := range s.pages {
		out[n] = p.renders.Load()
	}
	return out
}
