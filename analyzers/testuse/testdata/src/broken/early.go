package broken

import "sync"

// inbox wakes its reader by a channel with one place.
type inbox struct {
	mu    sync.Mutex
	ready chan struct{}
	mail  []string
	read  int
}

// Inbox has many senders and one reader.
type Inbox struct{ inbox }

func NewInbox() *Inbox { return &Inbox{inbox{ready: make(chan struct{}, 1)}} }

func (b *Inbox) wake() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

func (b *Inbox) Put(m string) {
	b.wake() // want `the signal on b.inbox.ready is given before b.mail is stored under b.inbox.mu: who is woken by it can look too early`
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mail = append(b.mail, m)
}

func (b *Inbox) PutDirectly(m string) {
	select {
	case b.ready <- struct{}{}: // want `the signal on b.inbox.ready is given before b.mail is stored`
	default:
	}
	b.mu.Lock()
	b.mail = append(b.mail, m)
	b.mu.Unlock()
}

func (b *Inbox) PutLast(m string) {
	b.mu.Lock()
	b.mail = append(b.mail, m)
	b.mu.Unlock()
	b.wake()
}

func (b *Inbox) PutDeferred(m string) {
	defer b.wake()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mail = append(b.mail, m)
}

func (b *Inbox) PutTwice(m string) {
	b.wake()
	b.mu.Lock()
	b.mail = append(b.mail, m)
	b.mu.Unlock()
	b.wake()
}

// Count is about nothing that the reader looks at.
func (b *Inbox) Count() {
	b.wake()
	b.mu.Lock()
	b.read++
	b.mu.Unlock()
}

func (b *Inbox) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mail
	b.mail = nil
	return m
}

func (b *Inbox) Run(f func(string)) {
	for range b.ready {
		for _, m := range b.take() {
			f(m)
		}
	}
}
