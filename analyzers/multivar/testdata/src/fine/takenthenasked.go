package fine

import "sync"

// AnswerLine hands on the answers to the requests of one peer.
type AnswerLine struct {
	mu      sync.Mutex
	answers []string
	open    map[int]bool
	pending int
	news    chan struct{}
}

func (l *AnswerLine) Answer(id int, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers = append(l.answers, text)
	l.pending++
	delete(l.open, id)
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// Serve asks where it takes.
func (l *AnswerLine) Serve(write func(string)) {
	for {
		l.mu.Lock()
		answers := l.answers
		l.answers = nil
		open := len(l.open)
		l.mu.Unlock()
		for _, a := range answers {
			write(a)
		}
		if open == 0 {
			return
		}
		<-l.news
	}
}

// ServeAgain looks again at what is to be taken.
func (l *AnswerLine) ServeAgain(write func(string)) {
	for {
		l.mu.Lock()
		answers := l.answers
		l.answers = nil
		l.mu.Unlock()
		for _, a := range answers {
			write(a)
		}
		l.mu.Lock()
		over := len(l.open) == 0 && len(l.answers) == 0
		l.mu.Unlock()
		if over {
			return
		}
		<-l.news
	}
}

// Count counts what comes in between.
func (l *AnswerLine) Count(write func(string)) {
	for {
		l.mu.Lock()
		answers := l.answers
		l.answers = nil
		l.mu.Unlock()
		for _, a := range answers {
			write(a)
		}
		l.mu.Lock()
		l.pending -= len(answers)
		left := l.pending
		l.mu.Unlock()
		if left == 0 {
			return
		}
	}
}

// Rest takes the rest before it leaves.
func (l *AnswerLine) Rest(write func(string)) {
	for {
		l.mu.Lock()
		answers := l.answers
		l.answers = nil
		l.mu.Unlock()
		for _, a := range answers {
			write(a)
		}
		l.mu.Lock()
		open := len(l.open)
		l.mu.Unlock()
		if open == 0 {
			l.mu.Lock()
			defer l.mu.Unlock()
			for _, a := range l.answers {
				write(a)
			}
			return
		}
		<-l.news
	}
}
