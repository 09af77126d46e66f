package doubt

import (
	"io"
	"sync"

	"github.com/hashicorp/raft"
)

// Ledger is driven by one goroutine, as its library says, and nothing is to be said of what that one alone has.
type Ledger struct {
	mu     sync.Mutex
	total  int
	former map[int][]byte
}

func (l *Ledger) Apply(entry *raft.Log) interface{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total += len(entry.Data)
	return nil
}

func (l *Ledger) Snapshot() (raft.FSMSnapshot, error) {
	first := l.sum()
	if old, ok := l.former[first-1]; !ok {
		println("none")
	} else {
		println(len(old))
	}
	for key := range l.former {
		if key < first {
			delete(l.former, key)
		}
	}
	l.former[first-1] = []byte("new")
	return nil, nil
}

func (l *Ledger) Restore(from io.ReadCloser) error {
	data, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	return l.decode(data)
}

func (l *Ledger) decode(data []byte) error {
	l.former[len(data)] = data
	return nil
}

// Sum is asked for by anybody.
func (l *Ledger) Sum() int { return l.sum() }

func (l *Ledger) sum() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

func openLedger() { raft.New(&Ledger{former: map[int][]byte{}}) }
