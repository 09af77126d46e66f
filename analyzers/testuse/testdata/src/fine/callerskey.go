package fine

import "sync"

// Leases has the number of each lease by the name it was asked for under.
type Leases struct {
	mu      sync.Mutex
	numbers map[string]int
	ask     func(name string) (int, error)
	giveUp  func(number int) error
}

func (l *Leases) Take(name string) error {
	n, err := l.ask(name)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.numbers[name] = n
	l.mu.Unlock()
	return nil
}

func (l *Leases) Return(name string) error {
	l.mu.Lock()
	n, ok := l.numbers[name]
	l.mu.Unlock()
	if !ok {
		return nil
	}
	if err := l.giveUp(n); err != nil {
		return err
	}
	l.mu.Lock()
	delete(l.numbers, name)
	l.mu.Unlock()
	return nil
}
