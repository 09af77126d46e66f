package fine

import (
	"log"
	"sync"
)

// Barometer is logged with the lock held, always.
type Barometer struct {
	mu      sync.Mutex
	history map[string]int
	falling bool
}

func (b *Barometer) String() string {
	if b.history["now"] > 0 {
		return "high"
	}
	return "low"
}

func (b *Barometer) Measure(hour string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.history[hour] = n
	log.Println("measured", b)
}

func (b *Barometer) Forget(hour string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.history, hour)
	log.Println("forgotten", b)
}

func (b *Barometer) At(hour string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.history[hour]
}

func (b *Barometer) Show() {
	log.Println("asked")
	log.Println(b.At("now"))
}
