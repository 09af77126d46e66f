package broken

import (
	"maps"
	"slices"
	"sync"
)

// What is copied under a lock is replaced by something empty under the lock taken anew:
// what was added in between is in neither.

type Journal struct {
	mu    sync.Mutex
	mem   map[string]string
	size  int
	lines []string
	files []string
	out   func(map[string]string, []string) error
}

func NewJournal(out func(map[string]string, []string) error) *Journal {
	return &Journal{mem: map[string]string{}, out: out}
}

func (j *Journal) rotateLocked() error {
	frozen := maps.Clone(j.mem) // want `two goroutines can both read j.mem before either stores it, and one update is lost: j.mu is released in between`
	j.mu.Unlock()
	err := j.out(frozen, nil)
	j.mu.Lock()
	if err != nil {
		return err
	}
	j.mem, j.size = map[string]string{}, 0
	return nil
}

func (j *Journal) Put(k, v string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.mem[k] = v
	if j.size += len(v); j.size < 1000 {
		return nil
	}
	return j.rotateLocked()
}

func (j *Journal) Log(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

func (j *Journal) Flush() error {
	j.mu.Lock()
	lines := slices.Clone(j.lines) // want `two goroutines can both read j.lines before either stores it, and one update is lost: j.mu is released in between`
	j.mu.Unlock()
	if err := j.out(nil, lines); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = j.lines[:0]
	return nil
}

func (j *Journal) FlushBoth() error {
	j.mu.Lock()
	mem, n := j.mem, j.size // want `two goroutines can both read j.mem before either stores it, and one update is lost: j.mu is released in between`
	j.mu.Unlock()
	if n == 0 {
		return nil
	}
	err := j.out(mem, nil)
	j.mu.Lock()
	j.mem = make(map[string]string)
	j.mu.Unlock()
	return err
}

func (j *Journal) flush() {
	j.mu.Lock()
	defer j.mu.Unlock()
	lines := make([]string, len(j.lines))
	copy(lines, j.lines) // want `two goroutines can both read j.lines before either stores it, and one update is lost: j.mu is released in between`
	j.mu.Unlock()
	_ = j.out(nil, lines)
	j.mu.Lock()
	j.lines = nil
}

func (j *Journal) FlushCopy() { j.flush() }
