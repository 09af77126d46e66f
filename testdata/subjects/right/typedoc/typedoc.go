// Package typedoc says with the type who ends it.
package typedoc

import "sync"

// Tailer follows a file. It is owned by whoever has opened it, who calls Close exactly once, when
// all the others are through with it.
type Tailer struct {
	mu    sync.Mutex
	lines []string
	stop  chan struct{}
	done  chan struct{}
}

// Open starts one.
func Open() *Tailer {
	t := &Tailer{stop: make(chan struct{}), done: make(chan struct{})}
	go t.follow()
	return t
}

func (t *Tailer) follow() {
	defer close(t.done)
	<-t.stop
}

// Lines are those seen so far.
func (t *Tailer) Lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.lines...)
}

// Close ends it.
func (t *Tailer) Close() error {
	close(t.stop) // right: see the comment of the type
	<-t.done
	return nil
}
