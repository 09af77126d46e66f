// Package seqkey gives each generation a key of its own.
package seqkey

import (
	"strconv"
	"sync"
)

// Log has a file for each generation.
type Log struct {
	mu    sync.Mutex
	gen   int
	files map[string]*file
}

type file struct{ lines []string }

// New makes one.
func New() *Log { return &Log{files: map[string]*file{}} }

func open(name string) *file { return &file{lines: []string{name}} }

// Rotate begins a new generation if there is one to end. Right: gen is raised under the lock
// where the new file is stored: its key is not the one that was looked at, and has never been
// stored before.
func (l *Log) Rotate(name string) bool {
	l.mu.Lock()
	_, ok := l.files[name+"."+strconv.Itoa(l.gen)]
	l.mu.Unlock()
	if ok {
		return false
	}
	f := open(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gen++
	l.files[name+"."+strconv.Itoa(l.gen)] = f
	return true
}

// Len is the number of files.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.files)
}
