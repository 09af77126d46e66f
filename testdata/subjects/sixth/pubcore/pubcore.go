// Package pubcore is an in-process publish/subscribe broker.
package pubcore

import (
	"context"
	"errors"
	"log"
	"strings"
	"sync"
)

type Message struct {
	Topic string
	Body  []byte
}

var ErrBadTopic = errors.New("pubcore: bad topic name")

type subscriber struct {
	id int
	fn func(Message)
}

// topic owns its subscriber list through its channels; run is the owner.
type topic struct {
	name  string
	in    chan Message
	join  chan subscriber
	leave chan int
}

func (t *topic) run(ctx context.Context) {
	subs := make(map[int]subscriber)
	for {
		select {
		case <-ctx.Done():
			log.Printf("pubcore: topic %s: %d subscribers dropped", t.name, len(subs))
			return
		case s := <-t.join:
			subs[s.id] = s
		case id := <-t.leave:
			delete(subs, id)
		case m := <-t.in:
			for _, s := range subs {
				s.fn(m)
			}
		}
	}
}

type Broker struct {
	ctx  context.Context
	stop context.CancelFunc

	guard  sync.RWMutex
	topics map[string]*topic

	idMu   sync.Mutex
	lastID int
}

func NewBroker(parent context.Context) *Broker {
	ctx, stop := context.WithCancel(parent)
	return &Broker{ctx: ctx, stop: stop, topics: make(map[string]*topic)}
}

func (b *Broker) topic(name string) (*topic, error) {
	if name == "" || strings.ContainsAny(name, " \t\n") {
		return nil, ErrBadTopic
	}
	b.guard.RLock()
	t, ok := b.topics[name]
	b.guard.RUnlock()
	if ok {
		return t, nil
	}
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	t = &topic{
		name:  name,
		in:    make(chan Message, 64),
		join:  make(chan subscriber),
		leave: make(chan int),
	}
	go t.run(b.ctx)

	b.guard.Lock()
	defer b.guard.Unlock()
	b.topics[name] = t
	return t, nil
}

// Subscribe calls fn for each message of the topic until the returned func is called.
func (b *Broker) Subscribe(name string, fn func(Message)) (func(), error) {
	t, err := b.topic(name)
	if err != nil {
		return nil, err
	}
	s := subscriber{id: b.nextID(), fn: fn}
	select {
	case t.join <- s:
	case <-b.ctx.Done():
		return nil, b.ctx.Err()
	}
	return func() {
		select {
		case t.leave <- s.id:
		case <-b.ctx.Done():
		}
	}, nil
}

func (b *Broker) Publish(ctx context.Context, name string, body []byte) error {
	t, err := b.topic(name)
	if err != nil {
		return err
	}
	select {
	case t.in <- Message{Topic: name, Body: body}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
}

func (b *Broker) nextID() int {
	b.idMu.Lock()
	defer b.idMu.Unlock()
	b.lastID++
	return b.lastID
}

func (b *Broker) Close() { b.stop() }
