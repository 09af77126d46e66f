package broken

import (
	"crypto/sha256"
	"sync"
)

// What is computed of a variable without the lock is stored after another function has set
// that one and thrown the result away.

type Manuscript struct {
	mu    sync.Mutex
	text  []byte
	sum   []byte
	words int
}

func NewManuscript() *Manuscript { return &Manuscript{} }

func (m *Manuscript) Set(text []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.text = text
	m.sum, m.words = nil, 0
}

func (m *Manuscript) Sum() []byte {
	m.mu.Lock()
	if m.sum != nil { // want `two goroutines can both pass the test of m.sum and both set it: m.mu is released in between`
		defer m.mu.Unlock()
		return m.sum
	}
	text := m.text
	m.mu.Unlock()
	sum := sha256.Sum256(text)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum = sum[:]
	return m.sum
}

func count(text []byte) int {
	n := 0
	for _, c := range text {
		if c == ' ' {
			n++
		}
	}
	return n
}

func (m *Manuscript) Words() int {
	m.mu.Lock()
	n, text := m.words, m.text // want `two goroutines can both pass the test of m.words and both set it: m.mu is released in between`
	m.mu.Unlock()
	if n == 0 {
		n = count(text)
		m.mu.Lock()
		m.words = n
		m.mu.Unlock()
	}
	return n
}
