//go:build !atomrace_off

package heal

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// gauntletWaits wait inside sections for who needs the variable first.
var gauntletWaits = []contestant{
	{"a section across a receive", acrossChannel},
	{"a section across a send", func(c *course) {
		v := c.variable()
		ch := make(chan int)
		crowd(2, func(f *Frame, i int) {
			if i == 0 {
				v.section(f, func() { ch <- 1 })
				return
			}
			v.write(f)
			<-ch
		})
	}},
	{"a section across a full channel", func(c *course) {
		v := c.variable()
		ch := make(chan int, 2)
		crowd(4, func(f *Frame, i int) {
			if i < 2 {
				v.section(f, func() { ch <- 1; ch <- 2 })
				return
			}
			for range 2 {
				v.write(f)
				<-ch
			}
		})
	}},
	{"a section across a select", func(c *course) {
		v := c.variable()
		a, b := make(chan int), make(chan int)
		crowd(3, func(f *Frame, i int) {
			switch i {
			case 0:
				v.section(f, func() {
					for range 2 {
						select {
						case <-a:
						case <-b:
						}
					}
				})
			case 1:
				v.write(f)
				a <- 1
			case 2:
				v.section(f, func() {})
				b <- 1
			}
		})
	}},
	{"ping-pong within sections", func(c *course) {
		v := c.variables(2)
		ch := make(chan int)
		crowd(2, func(f *Frame, i int) {
			v[i].section(f, func() {
				for n := range 4 {
					if n%2 == i {
						ch <- n
					} else {
						<-ch
					}
					v[1-i].write(f)
				}
			})
		})
	}},
	{"a pipeline, each stage in a section", func(c *course) {
		v := c.variable()
		stages := []chan int{make(chan int), make(chan int), make(chan int), make(chan int, 1)}
		crowd(4, func(f *Frame, i int) {
			if i == 3 {
				v.write(f)
				stages[0] <- 1
				<-stages[3]
				return
			}
			v.section(f, func() { stages[i+1] <- <-stages[i] })
		})
	}},
	{"a section across Cond.Wait", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		cond, ready := sync.NewCond(mu), false
		crowd(2, func(f *Frame, i int) {
			mu.Lock()
			defer mu.Unlock()
			if i == 1 {
				v.write(f)
				ready = true
				cond.Broadcast()
				return
			}
			v.section(f, func() {
				for !ready {
					cond.Wait()
				}
			})
		})
	}},
	{"a Hold that is released for Cond.Wait", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		cond, ready := sync.NewCond(mu), false
		crowd(5, func(f *Frame, i int) {
			v.hold(f, mu, 1, func() {
				if i == 4 {
					v.write(f)
					ready = true
					cond.Broadcast()
					return
				}
				for !ready {
					f.Release(1)
					cond.Wait()
				}
				v.write(f)
			})
		})
	}},
	{"WaitGroup.Wait in a section", func(c *course) {
		v := c.variable()
		var group sync.WaitGroup
		group.Add(2)
		crowd(3, func(f *Frame, i int) {
			if i == 0 {
				v.section(f, group.Wait)
				return
			}
			v.write(f)
			group.Done()
		})
	}},
	{"a barrier in sections of one variable", func(c *course) {
		v, m := c.variable(), newMeeting(4)
		crowd(4, func(f *Frame, _ int) { v.section(f, m.arrive) })
	}},
	{"Once in a section", func(c *course) {
		v := c.variable()
		var once sync.Once
		crowd(4, func(f *Frame, i int) {
			if i%2 == 0 {
				v.section(f, func() { once.Do(func() { runtime.Gosched() }) })
				return
			}
			once.Do(func() { v.write(f) })
		})
	}},
	{"a context that ends after an access", func(c *course) {
		v := c.variable()
		ctx, cancel := context.WithCancel(context.Background())
		crowd(2, func(f *Frame, i int) {
			if i == 0 {
				v.section(f, func() { <-ctx.Done() })
				return
			}
			v.section(f, func() {})
			cancel()
		})
	}},
	{"a timer whose function accesses", func(c *course) {
		v := c.variable()
		crowd(1, func(f *Frame, _ int) {
			done := make(chan struct{})
			v.section(f, func() {
				time.AfterFunc(0, func() { framed(func(f *Frame) { v.write(f); close(done) }) })
				<-done
			})
		})
	}},
	{"fork and join in a section", func(c *course) {
		v := c.variable()
		crowd(2, func(f *Frame, _ int) {
			v.section(f, func() { crowd(4, func(f *Frame, _ int) { v.write(f) }) })
		})
	}},
	{"fork and join sections in a section", func(c *course) {
		v, w := c.variable(), c.variable()
		crowd(2, func(f *Frame, _ int) {
			v.section(f, func() {
				crowd(3, func(f *Frame, _ int) { w.section(f, func() { v.section(f, func() {}) }) })
			})
		})
	}},
	{"sections that start the next goroutine and wait", func(c *course) {
		v := c.variable()
		var next func(depth int)
		next = func(depth int) {
			crowd(1, func(f *Frame, _ int) {
				v.section(f, func() {
					if depth > 0 {
						next(depth - 1)
					}
				})
			})
		}
		next(5)
	}},
	{"a goroutine that outlives the section that started it", func(c *course) {
		v := c.variable()
		var all sync.WaitGroup
		crowd(3, func(f *Frame, _ int) {
			v.section(f, func() { all.Go(func() { framed(func(f *Frame) { v.section(f, func() {}) }) }) })
		})
		all.Wait()
	}},
	{"a callback on another goroutine", func(c *course) {
		v := c.variable()
		calls := make(chan func(f *Frame))
		var server sync.WaitGroup
		server.Go(func() {
			framed(func(f *Frame) {
				for call := range calls {
					call(f)
				}
			})
		})
		crowd(3, func(f *Frame, _ int) {
			v.section(f, func() {
				done := make(chan struct{})
				calls <- func(f *Frame) { v.write(f); close(done) }
				<-done
			})
		})
		close(calls)
		server.Wait()
	}},
	{"a bubble, fork and join", func(c *course) {
		synctest.Test(c.t, func(*testing.T) {
			v := c.variable()
			crowd(2, func(f *Frame, _ int) {
				v.section(f, func() { crowd(3, func(f *Frame, _ int) { v.write(f) }) })
			})
		})
	}},
}
