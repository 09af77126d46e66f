package notifier

import (
	"errors"
	"net/smtp"
	"sync"
)

var ErrClosed = errors.New("notifier closed")

type Mail struct {
	To   string
	Text []byte
}

type Notifier struct {
	addr, from string

	rw     sync.RWMutex
	closed bool
	queue  chan Mail

	wg   sync.WaitGroup
	emu  sync.Mutex
	errs []error
}

func New(addr, from string, workers int) *Notifier {
	n := &Notifier{addr: addr, from: from, queue: make(chan Mail, 64)}
	n.wg.Add(workers)
	for range workers {
		go n.deliver()
	}
	return n
}

func (n *Notifier) deliver() {
	defer n.wg.Done()
	for m := range n.queue {
		if err := smtp.SendMail(n.addr, nil, n.from, []string{m.To}, m.Text); err != nil {
			n.emu.Lock()
			n.errs = append(n.errs, err)
			n.emu.Unlock()
		}
	}
}

func (n *Notifier) Notify(m Mail) error {
	n.rw.RLock()
	defer n.rw.RUnlock()
	if n.closed {
		return ErrClosed
	}
	n.queue <- m
	return nil
}

func (n *Notifier) Close() error {
	n.rw.Lock()
	if !n.closed {
		n.closed = true
		close(n.queue)
	}
	n.rw.Unlock()
	n.wg.Wait()

	n.emu.Lock()
	defer n.emu.Unlock()
	return errors.Join(n.errs...)
}
