package broken

import (
	"context"
	"errors"
	"sync"
)

// A function that is given makes the new value out of the old one, without the lock.

type Plan struct {
	mu    sync.Mutex
	steps []string
	doc   string
}

func NewPlan() *Plan { return &Plan{} }

func (p *Plan) Edit(edit func([]string) ([]string, error)) error {
	p.mu.Lock()
	old := p.steps // want `two goroutines can both read p.steps before either stores it, and one update is lost: p.mu is released in between`
	p.mu.Unlock()
	next, err := edit(old)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps = next
	return nil
}

func (p *Plan) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doc
}

func (p *Plan) setDoc(doc string) {
	p.mu.Lock()
	p.doc = doc
	p.mu.Unlock()
}

func (p *Plan) Rewrite(f func(string) string) {
	p.setDoc(f(p.text())) // want `two goroutines can both read p.doc \(in p.text\) before either stores it, and one update is lost: p.mu is released in between`
}

// An update that a function makes out of the old value.
type BoxedSetting[T any] struct {
	sem   chan struct{}
	value T
}

func NewBoxedSetting[T any](v T) *BoxedSetting[T] {
	sem := make(chan struct{}, 1)
	return &BoxedSetting[T]{sem: sem, value: v}
}

func (b *BoxedSetting[T]) Update(ctx context.Context, merge func(T) (T, bool)) error {
	select {
	case b.sem <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	cur := b.value // want `two goroutines can both read b.value before either stores it, and one update is lost: b.sem is released in between`
	<-b.sem
	next, ok := merge(cur)
	if !ok {
		return errors.New("rejected")
	}
	select {
	case b.sem <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	b.value = next
	<-b.sem
	return nil
}

func (b *BoxedSetting[T]) Get() T {
	b.sem <- struct{}{}
	defer func() { <-b.sem }()
	return b.value
}
