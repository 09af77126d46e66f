package broken

import "sync"

type login struct {
	mu      sync.RWMutex
	account string
	secret  string
	low     int
	high    int
}

func (l *login) Account() string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.account
}

func (l *login) Secret() string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.secret
}

func (l *login) Change(account, secret string) {
	l.mu.Lock()
	l.account, l.secret = account, secret
	l.mu.Unlock()
}

func (l *login) Low() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.low
}

func (l *login) High() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.high
}

func (l *login) Move(low, high int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.low = low
	l.high = high
}

type Client struct {
	login login
	dial  func(account, secret string) error
}

func (c *Client) Renew(account, secret string) { c.login.Change(account, secret) }

func (c *Client) Turn(over func(high, low int)) { c.login.Turn(over) }

func (c *Client) Shift(low, high int) { c.login.Move(low, high) }

// Dial takes an account and the secret of another one.
func (c *Client) Dial() error {
	account := c.login.Account() // want `login.account and login.secret are read in two critical sections and used together; \(\*login\).Change changes both in one`
	return c.dial(account, c.login.Secret())
}

// Turn takes the lock twice itself.
func (l *login) Turn(over func(high, low int)) {
	l.mu.RLock()
	high := l.high // want `login.high and login.low are read in two critical sections and used together`
	l.mu.RUnlock()
	l.mu.RLock()
	low := l.low
	l.mu.RUnlock()
	over(high, low)
}

// Each walks from the low end of one range to the high end of another.
func (c *Client) Each(visit func(int)) {
	n := c.login.High() // want `login.high and login.low are read in two critical sections and used together`
	low := c.login.Low()
	for i := 0; i < n; i++ {
		visit(low + i)
	}
}

// Names has a map for each direction.
type Names struct {
	mu     sync.Mutex
	byName map[string]int
	byID   map[int]string
}

func (s *Names) Add(name string, id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName[name] = id
	s.byID[id] = name
}

func (s *Names) Remove(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byName, s.byID[id])
	delete(s.byID, id)
}

// Move changes one direction after the other.
func (s *Names) Move(from, to string, id int, moved func()) {
	s.mu.Lock()
	delete(s.byName, from)
	s.byName[to] = id // want `s.byName is set in an earlier critical section than s.byID`
	s.mu.Unlock()
	moved()
	s.mu.Lock()
	s.byID[id] = to
	s.mu.Unlock()
}
