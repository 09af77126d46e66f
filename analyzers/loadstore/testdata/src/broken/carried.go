package broken

import "sync/atomic"

// Tally carries one sum forward, for whoever comes.
type Tally struct {
	sum   atomic.Uint64
	start atomic.Uint64
	calls atomic.Uint64
	lines atomic.Uint64
}

func (t *Tally) Append(lines []string) {
	sum := t.sum.Load() // want `both read t.sum before either stores it`
	for _, line := range lines {
		sum += uint64(len(line))
	}
	t.sum.Store(sum)
	t.start.Store(1)
}

// Count adds to two counters, each in one statement.
func (t *Tally) Count(n uint64) {
	t.calls.Store(t.calls.Load() + 1) // want `both read t.calls before either stores it`
	t.lines.Store(t.lines.Load() + n) // want `both read t.lines before either stores it`
}
