package kvwatch

import (
	"maps"
	"sync"
)

type Event struct {
	Key string
	Val string
	Rev int64
}

type Subscription struct {
	State map[string]string
	Rev   int64
	C     <-chan Event
	stop  func()
}

func (s *Subscription) Cancel() { s.stop() }

type KV struct {
	mu   sync.Mutex
	rev  int64
	vals map[string]string
	subs map[int]chan Event
	ids  int
}

func New() *KV {
	return &KV{vals: make(map[string]string), subs: make(map[int]chan Event)}
}

func (kv *KV) snapshotLocked() (map[string]string, int64) {
	return maps.Clone(kv.vals), kv.rev
}

func (kv *KV) registerLocked(ch chan Event) int {
	kv.ids++
	kv.subs[kv.ids] = ch
	return kv.ids
}

func (kv *KV) Subscribe(buf int) *Subscription {
	ch := make(chan Event, buf)
	kv.mu.Lock()
	state, rev := kv.snapshotLocked()
	id := kv.registerLocked(ch)
	kv.mu.Unlock()
	return &Subscription{State: state, Rev: rev, C: ch, stop: func() {
		kv.mu.Lock()
		delete(kv.subs, id)
		kv.mu.Unlock()
	}}
}

func (kv *KV) Set(key, val string) int64 {
	kv.mu.Lock()
	defer kv.mu.Unlock()
	kv.rev++
	kv.vals[key] = val
	for id, ch := range kv.subs {
		select {
		case ch <- Event{key, val, kv.rev}:
		default:
			delete(kv.subs, id)
		}
	}
	return kv.rev
}
