// Package eltwolocks accounts for sessions under a lock of its own.
package eltwolocks

import "sync"

type session struct {
	user  string
	bytes int64
}

var spare = sync.Pool{New: func() any { return new(session) }}

// Table has the sessions under mu, and their bytes under acct.
type Table struct {
	mu   sync.Mutex
	open map[string]*session

	acct  sync.Mutex
	total int64
}

// New makes a table.
func New() *Table { return &Table{open: map[string]*session{}} }

// Open makes a session, of one that is in no table.
func (t *Table) Open(user string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[user] != nil {
		return
	}
	s := spare.Get().(*session)
	s.user = user
	s.bytes = 0 // nobody else has it
	t.open[user] = s
}

func (t *Table) find(user string) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[user]
}

// Count adds to the bytes of the user.
func (t *Table) Count(user string, n int64) {
	s := t.find(user)
	if s == nil {
		return
	}
	t.acct.Lock()
	defer t.acct.Unlock()
	s.bytes += n
	t.total += n
}

// Bytes is how many there were.
func (t *Table) Bytes(user string) int64 {
	s := t.find(user)
	if s == nil {
		return 0
	}
	t.acct.Lock()
	defer t.acct.Unlock()
	return s.bytes
}

// Total is the sum.
func (t *Table) Total() int64 {
	t.acct.Lock()
	defer t.acct.Unlock()
	return t.total
}
