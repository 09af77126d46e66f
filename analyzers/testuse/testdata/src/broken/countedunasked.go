package broken

import (
	"sync"
	"sync/atomic"
)

// JarStore counts its jars.

type JarStore[K comparable, V any] struct {
	n    int32
	jars sync.Map
}

func (p *JarStore[K, V]) Put(k K, v V) (old V, had bool) {
	got, had := p.jars.LoadOrStore(k, v)
	if !had {
		atomic.AddInt32(&p.n, 1)
	}
	return got.(V), had
}

func (p *JarStore[K, V]) Throw(k K) {
	atomic.AddInt32(&p.n, -1) // want `p.n is taken down here for a key that need not be in p.jars any more`
	p.jars.Delete(k)
}

func (p *JarStore[K, V]) Take(k K) bool {
	_, had := p.jars.LoadAndDelete(k)
	if had {
		atomic.AddInt32(&p.n, -1)
	}
	return had
}

func (p *JarStore[K, V]) Len() int { return int(atomic.LoadInt32(&p.n)) }
