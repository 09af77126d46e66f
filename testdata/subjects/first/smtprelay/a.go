package smtprelay

import (
	"errors"
	"log"
	"net/smtp"
	"sync"
)

var ErrUnhealthy = errors.New("smtprelay: too many failed deliveries")

type Message struct {
	From string
	To   []string
	Body []byte
}

type Relay struct {
	addr      string
	auth      smtp.Auth
	threshold int

	mu     sync.Mutex
	sent   int
	failed int
	wg     sync.WaitGroup
}

func New(addr string, auth smtp.Auth, threshold int) *Relay {
	return &Relay{addr: addr, auth: auth, threshold: threshold}
}

func (r *Relay) SendAll(msgs []Message) error {
	if !r.Healthy() {
		return ErrUnhealthy
	}
	for _, m := range msgs {
		r.wg.Add(1)
		go func() {
			defer r.wg.Done()
			r.deliver(m)
		}()
	}
	return nil
}

func (r *Relay) deliver(m Message) {
	err := smtp.SendMail(r.addr, r.auth, m.From, m.To, m.Body)
	if err != nil {
		log.Printf("smtprelay: deliver to %v: %v", m.To, err)
		r.failed++
		return
	}
	r.mu.Lock()
	r.sent++
	r.mu.Unlock()
}

func (r *Relay) Healthy() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed < r.threshold
}

func (r *Relay) Reset() {
	r.mu.Lock()
	r.sent, r.failed = 0, 0
	r.mu.Unlock()
}

func (r *Relay) Wait() { r.wg.Wait() }
