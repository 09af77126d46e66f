package broken

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

func (d *AliasDelta) Add(key string, n int) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	active := d.active // want `an entry of d.active is written by way of active with d.mu held for reading only: two goroutines can do so at the same time, which is a concurrent map write`
	if active[key] < n {
		active[key] = n
	}
}

func (d *AliasDelta) Swap() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	taken := d.active
	d.active, d.spare = d.spare, taken
	return taken
}

// An AliasSender writes lines to a connection.
type AliasSender struct {
	mu     sync.RWMutex
	conn   net.Conn
	writer *bufio.Writer
}

func (s *AliasSender) Send(line string) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, err := fmt.Fprintln(s.writer, line) // want `fmt.Fprintln changes s.writer, and s.mu is held for reading only, which others can do at the same time`
	return err
}

func (s *AliasSender) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writer.Flush()
}
