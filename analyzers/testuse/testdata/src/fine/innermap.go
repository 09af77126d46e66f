package fine

import "sync"

// Berths looks again under the lock that it takes to act.
type Berths struct {
	mu   sync.Mutex
	used map[string]map[int]int
	most int
}

func (b *Berths) of(car string, kind int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used[car][kind]
}

func (b *Berths) take(car string, kind int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	kinds, ok := b.used[car]
	if !ok {
		kinds = map[int]int{}
		b.used[car] = kinds
	}
	if kinds[kind] >= b.most {
		return false
	}
	kinds[kind]++
	return true
}

func (b *Berths) Take(car string, kind int) bool {
	if b.of(car, kind) >= b.most {
		return false
	}
	return b.take(car, kind)
}

// sparse fills a map of its own, which is not the entry any more.
func (b *Berths) sparse(car string, kind int) map[int]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	kinds := b.used[car]
	if kinds == nil {
		kinds = make(map[int]int)
	}
	kinds[kind] = 1
	return kinds
}

func (b *Berths) Sparse(car string, kind int) map[int]int {
	if b.of(car, kind) > 0 {
		return nil
	}
	return b.sparse(car, kind)
}
