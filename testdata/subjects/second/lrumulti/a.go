package lrumulti

import (
	"container/list"
	"sync"
)

type item struct {
	key string
	val []byte
}

type LRU struct {
	mu    sync.Mutex
	order *list.List
	items map[string]*list.Element
	OnOut func(key string, val []byte)
}

func New() *LRU {
	return &LRU{order: list.New(), items: make(map[string]*list.Element)}
}

func (l *LRU) Put(k string, v []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if el, ok := l.items[k]; ok {
		el.Value.(*item).val = v
		l.order.MoveToFront(el)
		return
	}
	l.items[k] = l.order.PushFront(&item{k, v})
}

func (l *LRU) Get(k string) ([]byte, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	el, ok := l.items[k]
	if !ok {
		return nil, false
	}
	l.order.MoveToFront(el)
	return el.Value.(*item).val, true
}

func (l *LRU) Trim(max int) {
	for {
		l.mu.Lock()
		if l.order.Len() <= max {
			l.mu.Unlock()
			return
		}
		out := l.order.Remove(l.order.Back()).(*item)
		l.mu.Unlock()
		if l.OnOut != nil {
			l.OnOut(out.key, out.val)
		}
		l.mu.Lock()
		delete(l.items, out.key)
		l.mu.Unlock()
	}
}
