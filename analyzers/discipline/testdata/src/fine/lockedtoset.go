package fine

import (
	"sync"
	"time"
)

type lesson struct {
	at    time.Time
	marks int
	seen  bool
	once  bool
}

// Lessons are held by one teacher each, who alone has the lesson; others ask how far it is.
type Lessons struct {
	mu  sync.Mutex
	all map[string]*lesson
}

// Teach reads what only it sets; others read it with the lock, for which it takes it.
func (l *Lessons) Teach(name string) {
	l.mu.Lock()
	one := l.all[name]
	l.mu.Unlock()
	if one.marks < 10 {
		time.Sleep(time.Millisecond)
	}
	l.mu.Lock()
	one.marks++
	l.mu.Unlock()
}

func (l *Lessons) Marks(name string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one := l.all[name]; one != nil {
		return one.marks
	}
	return 0
}

// Begin makes the lesson, and reads it before anybody else has it.
func (l *Lessons) Begin(name string) {
	one := &lesson{}
	if one.at.IsZero() {
		time.Sleep(time.Millisecond)
	}
	l.mu.Lock()
	one.at = time.Now()
	l.all[name] = one
	l.mu.Unlock()
}

// Remark looks with the lock.
func (l *Lessons) Remark(name string) {
	l.mu.Lock()
	one := l.all[name]
	seen := one.seen
	l.mu.Unlock()
	if !seen {
		l.mu.Lock()
		one.seen = true
		l.mu.Unlock()
	}
}
