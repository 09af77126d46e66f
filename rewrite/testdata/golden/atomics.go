// sync/atomic functions and types, sync.Map, with results used and not, of
// interface type, promoted and through pointers.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type server struct {
	closed atomic.Bool
	hits   atomic.Int64
	conf   atomic.Value
	peer   atomic.Pointer[server]
	raw    int32
	ptr    *int64
	shared *atomic.Uint32
	cache  sync.Map
	err    atomic.Value
	counter
}

type counter struct{ atomic.Int32 }

type ready struct{ atomic.Bool }

func same(s *server) *server { return s }

func main() {
	s := &server{ptr: new(int64), shared: new(atomic.Uint32)}
	s.hits.Add(2)
	fmt.Println(s.hits.Add(1), s.hits.Load(), s.closed.Load())
	if !s.closed.Load() {
		s.closed.Store(true)
	}
	fmt.Println(s.closed.CompareAndSwap(true, false), s.closed.Swap(true))
	s.conf.Store("text")
	fmt.Println(s.conf.Load(), s.conf.Load().(string))
	s.err.Store(fmt.Errorf("an error"))
	s.peer.Store(nil)
	s.peer.Store(s)
	fmt.Println(s.peer.Load() == s, s.peer.CompareAndSwap(s, nil), s.peer.Load())
	atomic.AddInt32(&s.raw, 5)
	atomic.StoreInt64(s.ptr, 7)
	fmt.Println(atomic.LoadInt32(&s.raw), atomic.LoadInt64(s.ptr), atomic.CompareAndSwapInt32(&s.raw, 5, 6), s.raw)
	s.shared.Store(9)
	fmt.Println(s.shared.Load(), same(s).hits.Add(1))
	r := &ready{}
	r.Store(true)
	s.counter.Add(3)
	fmt.Println(r.Load(), s.counter.Load(), s.Int32.Load())
	s.cache.Store("a", 1)
	v, ok := s.cache.Load("a")
	got, loaded := s.cache.LoadOrStore("b", len("bb"))
	fmt.Println(v, ok, got, loaded)
	s.cache.Range(func(k, v any) bool { return true })
	s.cache.Delete("a")
	if _, ok := s.cache.LoadAndDelete("b"); ok {
		fmt.Println("deleted")
	}
	prev, was := s.cache.Swap(1, "one")
	fmt.Println(prev, was, s.cache.CompareAndSwap(1, "one", "uno"), s.cache.CompareAndDelete(1, "one"))
	same(s).cache.Store(2, nil)
	fmt.Println(atomic.AddInt32(&same(s).raw, 2), same(s).peer.Load(), same(s).ptr == s.ptr)
	same(s).conf.Store("other")
	ps := []*server{s}
	fmt.Println(ps[len(ps)-1].conf.CompareAndSwap("other", "third"), s.conf.Load())
	defer func() { fmt.Println(s.hits.Load()) }()
	defer s.hits.Store(100)
	done := make(chan bool)
	go s.hits.Add(1)
	go func() {
		s.hits.Add(1)
		close(done)
	}()
	<-done
	for s.hits.Load() < 6 { // nobody else waits for the first of the two
		runtime.Gosched()
	}
	s.hits.Store(0)
}
