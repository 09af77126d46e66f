package broken

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// Buttery makes what it has not found, as an error says that a function judges.
type Buttery struct {
	mu   sync.RWMutex
	jars map[string]*jarOfButtery
}

type jarOfButtery struct{ label string }

// Jar returns an error that says what is missing.
func (l *Buttery) Jar(label string) (*jarOfButtery, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	j, ok := l.jars[label]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return j, nil
}

// Put replaces what is there.
func (l *Buttery) Put(label string) *jarOfButtery {
	j := &jarOfButtery{label}
	l.mu.Lock()
	l.jars[label] = j
	l.mu.Unlock()
	return j
}

// Open puts a jar over that of another one.
func (l *Buttery) Open(label string, create bool) (*jarOfButtery, error) {
	j, err := l.Jar(label) // want `two goroutines can both pass the test of l.jars \(in l.Jar\) and both set it`
	if os.IsNotExist(err) && create {
		j, err = l.Put(label), nil
	}
	return j, err
}

func isMissingJar(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// Fetch does so too.
func (l *Buttery) Fetch(label string) *jarOfButtery {
	j, err := l.Jar(label) // want `two goroutines can both pass the test of l.jars \(in l.Jar\) and both set it`
	if isMissingJar(err) {
		j = l.Put(label)
	}
	return j
}
