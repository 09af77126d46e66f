package broken

import "sync"

// ReplyLine hands on the replies to the requests of one peer.
type ReplyLine struct {
	mu      sync.Mutex
	replies []string
	open    map[int]bool
	over    bool
	news    chan struct{}
}

func (l *ReplyLine) Reply(id int, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replies = append(l.replies, text)
	delete(l.open, id)
	select {
	case l.news <- struct{}{}:
	default:
	}
}

func (l *ReplyLine) Last(text string) {
	l.mu.Lock()
	l.replies = append(l.replies, text)
	l.over = true
	l.mu.Unlock()
	l.news <- struct{}{}
}

func (l *ReplyLine) Serve(write func(string)) {
	for {
		l.mu.Lock()
		replies := l.replies
		l.replies = nil // want `l.replies is emptied here, and l.open asked in a later critical section`
		l.mu.Unlock()
		for _, r := range replies {
			write(r)
		}
		l.mu.Lock()
		open := len(l.open)
		l.mu.Unlock()
		if open == 0 {
			return
		}
		<-l.news
	}
}

func (l *ReplyLine) ServeAll(write func(string)) {
	for {
		l.mu.Lock()
		replies := l.replies
		l.replies = []string{} // want `l.replies is emptied here, and l.over asked in a later critical section`
		l.mu.Unlock()
		for _, r := range replies {
			write(r)
		}
		l.mu.Lock()
		over := l.over
		l.mu.Unlock()
		if over {
			return
		}
		<-l.news
	}
}
