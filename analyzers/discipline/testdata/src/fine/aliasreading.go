package fine

import (
	"bufio"
	"fmt"
	"net"
	"sync"
)

// An AliasDelta collects what has changed, in one of two maps.
type AliasDelta struct {
	mu     sync.RWMutex
	active map[string]int
	spare  map[string]int
}

// Add holds the lock for writing.
func (d *AliasDelta) Add(key string, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	active := d.active
	if active[key] < n {
		active[key] = n
	}
}

// Copy writes to a map of its own.
func (d *AliasDelta) Copy() map[string]int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	active := d.active
	own := map[string]int{}
	for k, n := range active {
		own[k] = n
	}
	return own
}

func (d *AliasDelta) Swap() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	taken := d.active
	d.active, d.spare = d.spare, taken
	return taken
}

// An AliasSender writes lines to a connection, which has a lock of its own.
type AliasSender struct {
	mu     sync.RWMutex
	conn   net.Conn
	writer *bufio.Writer
}

func (s *AliasSender) Send(line string) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, err := fmt.Fprintln(s.conn, line)
	return err
}

func (s *AliasSender) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writer.Flush()
}
