package topicstats

import (
	"errors"
	"sync"
)

type Map[K comparable, V any] struct {
	m sync.Map
}

func (m *Map[K, V]) Load(k K) (v V, ok bool) {
	x, ok := m.m.Load(k)
	if !ok {
		return v, false
	}
	return x.(V), true
}

func (m *Map[K, V]) Store(k K, v V) { m.m.Store(k, v) }

func (m *Map[K, V]) Range(fn func(K, V) bool) {
	m.m.Range(func(k, v any) bool { return fn(k.(K), v.(V)) })
}

type Message struct {
	Topic string
	Seq   uint64
	Body  []byte
}

type Broker struct {
	seqs Map[string, uint64]
	out  chan<- Message
}

func NewBroker(out chan<- Message) *Broker { return &Broker{out: out} }

// Publish is called from one goroutine per client connection.
func (b *Broker) Publish(topic string, body []byte) (uint64, error) {
	if topic == "" {
		return 0, errors.New("empty topic")
	}
	seq, _ := b.seqs.Load(topic)
	seq++
	b.seqs.Store(topic, seq)
	b.out <- Message{Topic: topic, Seq: seq, Body: body}
	return seq, nil
}

func (b *Broker) Topics() []string {
	var names []string
	b.seqs.Range(func(t string, _ uint64) bool {
		names = append(names, t)
		return true
	})
	return names
}
