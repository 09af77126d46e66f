package owned

import "sync"

type leaf struct{ hits, misses int }

type forest struct {
	leaves map[string]*leaf
}

func (f *forest) leaf(id string) *leaf { return f.leaves[id] }

// Each goroutine has the leaf of a key of its own.
func (f *forest) Count(found map[string]int) {
	var running sync.WaitGroup
	for id, n := range found {
		running.Add(1)
		go func(id string) {
			defer running.Done()
			l := f.leaf(id)
			l.hit(n)
		}(id)
	}
	running.Wait()
}

func (l *leaf) hit(n int) { l.hits += n }

// Missed may be given one name twice.
func (f *forest) Missed(names []string) {
	var running sync.WaitGroup
	for _, name := range names {
		running.Add(1)
		go func(name string) {
			defer running.Done()
			l := f.leaf(name)
			l.miss(1)
		}(name)
	}
	running.Wait()
}

func (l *leaf) miss(n int) {
	l.misses += n // want `two goroutines can both read l.misses before either stores it`
}
