package broken

import "sync"

// Rents has the number of each rent by the name it was asked for under, and ends all in the end.
type Rents struct {
	mu      sync.Mutex
	numbers map[string]int
	ask     func(name string) (int, error)
	giveUp  func(number int) error
}

func (l *Rents) Take(name string) error {
	n, err := l.ask(name)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.numbers[name] = n
	l.mu.Unlock()
	return nil
}

func (l *Rents) Return(name string) error {
	l.mu.Lock()
	n, ok := l.numbers[name] // want `two goroutines can both pass the test of l.numbers\[name\] and both delete it: l.mu is released in between`
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

func (l *Rents) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, n := range l.numbers {
		l.giveUp(n)
		delete(l.numbers, name)
	}
}
