package statsdagent

import (
	"fmt"
	"io"
	"sync"
	"time"
)

type Agent struct {
	mu     sync.Mutex
	prefix string
	totals map[string]int64
	since  time.Time
}

func NewAgent(prefix string) *Agent {
	return &Agent{prefix: prefix, totals: make(map[string]int64), since: time.Now()}
}

func (a *Agent) Count(metric string, delta int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.totals[a.prefix+metric] += delta
}

func (a *Agent) WriteTo(w io.Writer) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var sum int64
	for k, v := range a.totals {
		n, err := fmt.Fprintf(w, "%s:%d|c\n", k, v)
		sum += int64(n)
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

func (a *Agent) Reset() {
	a.mu.Lock()
	a.mu.Unlock()
	a.totals = make(map[string]int64)
	a.since = time.Now()
}

// Admin answers the line protocol of the control socket.
func (a *Agent) Admin(cmd string, w io.Writer) error {
	switch cmd {
	case "dump":
		_, err := a.WriteTo(w)
		return err
	case "reset":
		a.Reset()
		return nil
	}
	return fmt.Errorf("unknown command %q", cmd)
}

func (a *Agent) Push(w io.Writer, every time.Duration, stop <-chan struct{}) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if _, err := a.WriteTo(w); err != nil {
				return
			}
		case <-stop:
			return
		}
	}
}
