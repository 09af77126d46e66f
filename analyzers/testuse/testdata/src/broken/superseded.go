package broken

import (
	"context"
	"sync"
	"time"
)

// What is fetched without the lock takes the place of something newer, which another
// function has stored meanwhile.

type Tariff struct {
	Name    string
	Version int
	Valid   time.Time
}

func (t *Tariff) No() int { return t.Version }

type TariffSource interface {
	Fetch(ctx context.Context, name string) (*Tariff, error)
}

type Tariffs struct {
	src TariffSource

	mu      sync.Mutex
	latest  map[string]*Tariff
	current *Tariff
	plain   map[string]*Tariff
}

func NewTariffs(src TariffSource) *Tariffs {
	return &Tariffs{src: src, latest: map[string]*Tariff{}, plain: map[string]*Tariff{}}
}

func (t *Tariffs) Latest(ctx context.Context, name string) (*Tariff, error) {
	t.mu.Lock()
	x := t.latest[name] // want `two goroutines can both pass the test of t.latest\[name\] and both set it: t.mu is released in between`
	t.mu.Unlock()
	if x != nil {
		return x, nil
	}
	x, err := t.src.Fetch(ctx, name)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	t.latest[name] = x
	t.mu.Unlock()
	return x, nil
}

func (t *Tariffs) Announce(x *Tariff) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cur := t.latest[x.Name]; cur == nil || cur.Version < x.Version {
		t.latest[x.Name] = x
	}
}

func (t *Tariffs) Current(ctx context.Context) (*Tariff, error) {
	t.mu.Lock()
	if t.current != nil { // want `two goroutines can both pass the test of t.current and both set it: t.mu is released in between`
		defer t.mu.Unlock()
		return t.current, nil
	}
	t.mu.Unlock()
	x, err := t.src.Fetch(ctx, "")
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.current = x
	return x, nil
}

func (t *Tariffs) Publish(x *Tariff) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current != nil && !x.Valid.After(t.current.Valid) {
		return false
	}
	t.current = x
	return true
}

// The entry is made there, and has the number by which it is newer.
type tariffEntry struct {
	text string
	rev  int
}

type TariffTexts struct {
	load func(string) (string, int, error)

	mu sync.RWMutex
	m  map[string]tariffEntry
}

func NewTariffTexts(load func(string) (string, int, error)) *TariffTexts {
	return &TariffTexts{load: load, m: map[string]tariffEntry{}}
}

func (t *TariffTexts) lookup(name string) (string, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	e, ok := t.m[name]
	return e.text, ok
}

func (t *TariffTexts) Get(name string) (string, error) {
	if text, ok := t.lookup(name); ok { // want `two goroutines can both pass the test of t.m \(in t.lookup\) and both set it`
		return text, nil
	}
	text, rev, err := t.load(name)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	t.m[name] = tariffEntry{text, rev}
	t.mu.Unlock()
	return text, nil
}

func (t *TariffTexts) Apply(name, text string, rev int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.m[name]; ok && e.rev >= rev {
		return
	}
	t.m[name] = tariffEntry{text, rev}
}
