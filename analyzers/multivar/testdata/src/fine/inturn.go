package fine

import (
	"net"
	"sync"
)

// Quay has setters that anybody may call.
type Quay struct {
	mu   sync.RWMutex
	host string
	port string
	user string
	pass string
	name string
	flag string
	low  string
	high string
}

func (q *Quay) SetHost(host string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.host = host
}

func (q *Quay) SetPort(port string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.port = port
}

func (q *Quay) Configure(host, port string) {
	q.SetHost(host)
	q.SetPort(port)
}

func (q *Quay) Addr() string {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return net.JoinHostPort(q.host, q.port)
}

// Login sets both in one critical section.
func (q *Quay) Login(user, pass string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.setUser(user)
	q.setPass(pass)
}

func (q *Quay) setUser(user string) { q.user = user }
func (q *Quay) setPass(pass string) { q.pass = pass }

func (q *Quay) Credentials() (string, string) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.user, q.pass
}

// Rename sets two that nobody uses together.
func (q *Quay) Rename(name, flag string) {
	q.mu.Lock()
	q.name = name
	q.mu.Unlock()
	q.mu.Lock()
	q.flag = flag
	q.mu.Unlock()
}

func (q *Quay) Name() string {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.name
}

func (q *Quay) Flag() string {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.flag
}

// NewQuay has it for itself.
func NewQuay(low, high string) *Quay {
	q := &Quay{}
	q.setLow(low)
	q.setHigh(high)
	return q
}

func (q *Quay) setLow(low string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.low = low
}

func (q *Quay) setHigh(high string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.high = high
}

func (q *Quay) Range() (string, string) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.low, q.high
}

// Lower is another one that sets one alone.
func (q *Quay) Lower(low string) { q.setLow(low) }
