package readers

import (
	"recent"
	"sync"
)

// Office keeps a ledger that has a lock of its own: what may happen to it at once is its package's affair.
type Office struct {
	mu     sync.RWMutex
	ledger *recent.Ledger
	open   map[string]bool
}

func NewOffice() *Office { return &Office{ledger: recent.NewLedger(), open: map[string]bool{}} }

func (o *Office) Open(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open[name] = true
	o.ledger.Number(name)
}

func (o *Office) Ask(name string) (string, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.ledger.Number(name), o.open[name]
}
