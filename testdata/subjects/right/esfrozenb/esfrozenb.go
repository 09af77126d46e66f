// Package esfrozenb has options that are set until they are frozen.
package esfrozenb

import (
	"errors"
	"maps"
	"sync"
)

// Options are not changed once they are frozen.
type Options struct {
	mu     sync.Mutex
	m      map[string]string
	frozen bool
}

// New makes some.
func New() *Options { return &Options{m: map[string]string{}} }

// Set sets one.
func (o *Options) Set(k, v string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.frozen {
		return errors.New("esfrozen: frozen")
	}
	o.m[k] = v
	return nil
}

// Freeze freezes them.
func (o *Options) Freeze() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.frozen = true
}

// view is a copy until they are frozen.
func (o *Options) view() map[string]string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.frozen {
		return maps.Clone(o.m)
	}
	return o.m
}

// freeze freezes them, and returns the map, which nobody changes from there on.
func (o *Options) freeze() map[string]string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.frozen = true
	return o.m
}

// Each calls f for each.
func (o *Options) Each(f func(k, v string)) {
	m := o.view()
	for k, v := range m {
		f(k, v)
	}
}

// Final freezes them and calls f for each.
func (o *Options) Final(f func(k, v string)) {
	m := o.freeze()
	for k, v := range m {
		f(k, v)
	}
}
