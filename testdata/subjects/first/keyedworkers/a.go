package keyedworkers

import (
	"hash/fnv"
	"sync"
)

type Task func()

type shard struct {
	sync.RWMutex
	lanes map[string]chan Task
}

type Dispatcher struct {
	shards [16]*shard
	depth  int
	wg     sync.WaitGroup
}

func NewDispatcher(depth int) *Dispatcher {
	d := &Dispatcher{depth: depth}
	for i := range d.shards {
		d.shards[i] = &shard{lanes: make(map[string]chan Task)}
	}
	return d
}

func (d *Dispatcher) shardFor(key string) *shard {
	h := fnv.New32a()
	h.Write([]byte(key))
	return d.shards[h.Sum32()%uint32(len(d.shards))]
}

func (d *Dispatcher) Enqueue(key string, t Task) {
	s := d.shardFor(key)
	s.RLock()
	lane := s.lanes[key]
	s.RUnlock()
	if lane == nil {
		lane = make(chan Task, d.depth)
		s.Lock()
		s.lanes[key] = lane
		s.Unlock()
		d.wg.Add(1)
		go d.drain(lane)
	}
	lane <- t
}

func (d *Dispatcher) drain(lane <-chan Task) {
	defer d.wg.Done()
	for t := range lane {
		t()
	}
}

func (d *Dispatcher) Lanes() (n int) {
	for _, s := range d.shards {
		s.RLock()
		n += len(s.lanes)
		s.RUnlock()
	}
	return n
}
