package pkgindex

import (
	"errors"
	"fmt"
	"sort"
	"sync"
	"time"
)

var ErrExists = errors.New("version already published")

// Map is sync.Map with types.
type Map[K comparable, V any] struct{ m sync.Map }

func (m *Map[K, V]) Get(k K) (v V, ok bool) {
	x, ok := m.m.Load(k)
	if ok {
		v = x.(V)
	}
	return v, ok
}

func (m *Map[K, V]) Set(k K, v V) { m.m.Store(k, v) }

func (m *Map[K, V]) Each(fn func(K, V)) {
	m.m.Range(func(k, v any) bool {
		fn(k.(K), v.(V))
		return true
	})
}

type Release struct {
	Version, Digest string
	At              time.Time
}

type Package struct {
	Name     string
	releases Map[string, Release]
}

func (p *Package) Publish(version, digest string) error {
	if digest == "" {
		return fmt.Errorf("%s@%s: missing digest", p.Name, version)
	}
	if _, dup := p.releases.Get(version); dup {
		return fmt.Errorf("%s@%s: %w", p.Name, version, ErrExists)
	}
	p.releases.Set(version, Release{version, digest, time.Now()})
	return nil
}

func (p *Package) Versions() []string {
	var out []string
	p.releases.Each(func(v string, _ Release) { out = append(out, v) })
	sort.Strings(out)
	return out
}
