package broken

import (
	"bufio"
	"bytes"
	"container/heap"
	"container/list"
	"container/ring"
	"net/http"
	"slices"
	"sync"
)

type item[V any] struct {
	key string
	val V
}

// lru moves what it finds to the front, with its lock held for reading.
type lru[V any] struct {
	sync.RWMutex
	at    map[string]*list.Element
	order list.List
}

func (l *lru[V]) get(k string) (v V, ok bool) {
	l.RLock()
	defer l.RUnlock()
	e, ok := l.at[k]
	if ok {
		l.order.MoveToFront(e) // want `l.order.MoveToFront changes l.order, and l.RWMutex is held for reading only`
		v = e.Value.(item[V]).val
	}
	return v, ok
}

func (l *lru[V]) put(k string, v V) {
	l.Lock()
	defer l.Unlock()
	l.at[k] = l.order.PushFront(item[V]{k, v})
}

type LRU struct{ l *lru[string] }

func (c *LRU) Get(k string) (string, bool) { return c.l.get(k) }
func (c *LRU) Put(k, v string)             { c.l.put(k, v) }

type jobs []int

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a] < j[b] }
func (j jobs) Swap(a, b int)      { j[a], j[b] = j[b], j[a] }
func (j *jobs) Push(x any)        { *j = append(*j, x.(int)) }
func (j *jobs) Pop() any {
	old := *j
	x := old[len(old)-1]
	*j = old[:len(old)-1]
	return x
}

// Bureau uses what has no lock of its own with the lock held for reading.
type Bureau struct {
	mu     sync.RWMutex
	due    jobs
	out    *bufio.Writer
	log    bytes.Buffer
	names  []string
	heads  http.Header
	places *ring.Ring
}

func (d *Bureau) Next() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return heap.Pop(&d.due).(int) // want `heap.Pop changes d.due, and d.mu is held for reading only`
}

func (d *Bureau) Add(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	heap.Push(&d.due, n)
}

func (d *Bureau) Write(p []byte) (int, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.out.Write(p) // want `d.out.Write changes d.out, and d.mu is held for reading only`
}

func (d *Bureau) Flush() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.out.Flush()
}

func (d *Bureau) note(s string) { d.log.WriteString(s) }

func (d *Bureau) Note(s string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	d.log.WriteString(s) // want `d.log.WriteString changes d.log, and d.mu is held for reading only`
}

func (d *Bureau) Clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log.Reset()
}

func (d *Bureau) Sorted() []string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	slices.Sort(d.names) // want `slices.Sort changes d.names, and d.mu is held for reading only`
	return slices.Clone(d.names)
}

func (d *Bureau) Name(s string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.names = append(d.names, s)
}

func (d *Bureau) Mark(k string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	h := d.heads
	h.Set(k, "1") // want `h.Set changes d.heads, and d.mu is held for reading only`
}

func (d *Bureau) Unmark(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heads.Del(k)
}
