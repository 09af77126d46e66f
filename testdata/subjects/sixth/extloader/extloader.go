// Package extloader hosts extensions: child processes that speak JSON lines.
package extloader

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os/exec"
	"sync"
)

type Event struct {
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data"`
}

type Manifest struct {
	Name   string   `json:"name"`
	Binary string   `json:"binary"`
	Args   []string `json:"args"`
	Events []string `json:"events"`
}

var (
	ErrLoaded    = errors.New("extloader: already loaded")
	ErrNotLoaded = errors.New("extloader: not loaded")
)

// extension is one child; its own lock keeps the lines whole.
type extension struct {
	man Manifest
	cmd *exec.Cmd

	wmu sync.Mutex
	in  io.WriteCloser
}

func (e *extension) send(line []byte) error {
	e.wmu.Lock()
	defer e.wmu.Unlock()
	_, err := e.in.Write(append(line, '\n'))
	return err
}

type Host struct {
	mtx      sync.Mutex
	loaded   map[string]*extension
	handlers map[string]map[string]*extension // event kind -> name
}

func NewHost() *Host {
	return &Host{
		loaded:   make(map[string]*extension),
		handlers: make(map[string]map[string]*extension),
	}
}

// Load starts the extension of m and subscribes it to its events.
func (h *Host) Load(m Manifest) error {
	h.mtx.Lock()
	defer h.mtx.Unlock()
	if _, dup := h.loaded[m.Name]; dup {
		return fmt.Errorf("%w: %s", ErrLoaded, m.Name)
	}
	cmd := exec.Command(m.Binary, m.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("extloader: start %s: %w", m.Name, err)
	}
	ext := &extension{man: m, cmd: cmd, in: in}
	h.loaded[m.Name] = ext
	for _, kind := range m.Events {
		set := h.handlers[kind]
		if set == nil {
			set = make(map[string]*extension)
			h.handlers[kind] = set
		}
		set[m.Name] = ext
	}
	go h.reap(ext)
	return nil
}

func (h *Host) reap(ext *extension) {
	err := ext.cmd.Wait()
	log.Printf("extloader: %s ended: %v", ext.man.Name, err)
	if err := h.Unload(ext.man.Name); err != nil && !errors.Is(err, ErrNotLoaded) {
		log.Printf("extloader: unload %s: %v", ext.man.Name, err)
	}
}

// Unload unsubscribes the extension and closes its input.
func (h *Host) Unload(name string) error {
	h.mtx.Lock()
	ext, ok := h.loaded[name]
	if !ok {
		h.mtx.Unlock()
		return ErrNotLoaded
	}
	delete(h.loaded, name)
	for _, kind := range ext.man.Events {
		delete(h.handlers[kind], name)
	}
	h.mtx.Unlock()
	return ext.in.Close()
}

// Emit sends ev to the extensions that asked for its kind.
func (h *Host) Emit(ev Event) (delivered int, err error) {
	line, err := json.Marshal(ev)
	if err != nil {
		return 0, err
	}
	h.mtx.Lock()
	targets := h.handlers[ev.Kind]
	h.mtx.Unlock()
	if len(targets) == 0 {
		return 0, nil
	}
	var errs []error
	for name, ext := range targets {
		if serr := ext.send(line); serr != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, serr))
			continue
		}
		delivered++
	}
	return delivered, errors.Join(errs...)
}
