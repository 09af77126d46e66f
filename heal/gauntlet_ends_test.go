//go:build !atomrace_off

package heal

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"unsafe"
)

// gauntletEnds leave their sections by other ways than the end, or come to them
// by other ways than a call.
var gauntletEnds = []contestant{
	{"recursion in a section", func(c *course) {
		v := c.variable()
		crowd(4, func(f *Frame, _ int) { recurse(v, 5) })
	}},
	{"recursion over two variables", func(c *course) {
		v := c.variables(2)
		crowd(4, func(f *Frame, i int) {
			var down func(depth int)
			down = func(depth int) {
				framed(func(f *Frame) {
					v[(i+depth)%2].section(f, func() {
						if depth > 0 {
							down(depth - 1)
						}
					})
				})
			}
			down(4)
		})
	}},
	{"a callback that accesses the variable", func(c *course) {
		v := c.variable()
		crowd(4, func(f *Frame, _ int) {
			v.section(f, func() { framed(func(f *Frame) { v.write(f); v.section(f, func() {}) }) })
		})
	}},
	{"a panic in a section", func(c *course) {
		v := c.variable()
		crowd(6, func(_ *Frame, i int) {
			caught(func() { framed(func(f *Frame) { v.section(f, func() { panic("the program's own") }) }) })
			framed(func(f *Frame) { v.section(f, func() {}) })
		})
	}},
	{"a panic in a critical section", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(_ *Frame, i int) {
			caught(func() {
				framed(func(f *Frame) {
					f.Hold(&v.p.v, nil, 1)
					v.hold(f, new(sync.Mutex), 2, func() {})
					mu.Lock()
					defer mu.Unlock()
					v.section(f, func() { panic("the program's own") })
				})
			})
		})
	}},
	{"a panic that runs deferred functions that wait", func(c *course) {
		v := c.variable()
		ch := make(chan int)
		crowd(2, func(_ *Frame, i int) {
			if i == 1 {
				framed(func(f *Frame) { v.write(f); ch <- 1 })
				return
			}
			caught(func() {
				framed(func(f *Frame) {
					defer func() { <-ch }()
					v.section(f, func() { panic("the program's own") })
				})
			})
		})
	}},
	{"a panic between before and after", func(c *course) {
		v := c.variable()
		crowd(6, func(_ *Frame, i int) {
			caught(func() {
				framed(func(f *Frame) { Do00(f, v.load, unsafe.Pointer(v.x), func() { panic("the program's own") }) })
			})
			framed(func(f *Frame) { v.write(f) })
		})
	}},
	{"Goexit in a section", func(c *course) {
		v := c.variable()
		crowd(6, func(f *Frame, i int) {
			v.section(f, func() {
				if i%2 == 0 {
					runtime.Goexit()
				}
			})
		})
	}},
	{"Goexit under a Hold", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(f *Frame, i int) {
			f.Hold(&v.p.v, unsafe.Pointer(v.x), 1)
			mu.Lock()
			defer mu.Unlock()
			if i%2 == 0 {
				runtime.Goexit()
			}
			v.write(f)
			f.Release(1)
		})
	}},
	{"sections that are left early", func(c *course) {
		v := c.variable()
		crowd(6, func(f *Frame, i int) {
			for range 3 {
				access1(f, v.load, v.x)
				if i%2 == 0 {
					f.Exit(v.s)
					continue
				}
				access1(f, v.store, v.x)
			}
		})
	}},
	{"a loop that comes back without an end", func(c *course) {
		v := c.variable()
		crowd(6, func(f *Frame, _ int) {
			for range 5 {
				access1(f, v.load, v.x)
			}
			access1(f, v.store, v.x)
		})
	}},
	{"a section that never ends in its function", func(c *course) {
		v := c.variable()
		crowd(6, func(f *Frame, _ int) { access1(f, v.load, v.x) })
	}},
	{"a Hold that moves to another instance", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		other := new(int)
		crowd(6, func(f *Frame, i int) {
			for n := range 4 {
				at := v.x
				if (n+i)%2 == 0 {
					at = other
				}
				f.Hold(&v.p.v, unsafe.Pointer(at), 1)
				mu.Lock()
				access1(f, v.poke, at)
				mu.Unlock()
			}
			f.Release(1)
		})
	}},
	{"a cleanup that enters the section", func(c *course) {
		v := c.variable()
		done := make(chan struct{})
		func() {
			garbage := new([64]int)
			runtime.AddCleanup(garbage, func(v *subject) {
				framed(func(f *Frame) { v.section(f, func() {}) })
				close(done)
			}, v)
		}()
		crowd(1, func(f *Frame, _ int) {
			v.section(f, func() {
				for {
					runtime.GC() // within a section that the cleanup wants to enter
					select {
					case <-done:
						return
					default:
						runtime.Gosched()
					}
				}
			})
		})
	}},
	{"a finalizer that accesses", func(c *course) {
		v := c.variable()
		done := make(chan struct{})
		func() {
			garbage := new([64]int)
			runtime.SetFinalizer(garbage, func(*[64]int) {
				framed(func(f *Frame) { v.write(f) })
				close(done)
			})
		}()
		crowd(1, func(f *Frame, _ int) {
			v.section(f, func() {
				for {
					runtime.GC()
					select {
					case <-done:
						return
					default:
						runtime.Gosched()
					}
				}
			})
		})
	}},
	{"policies that change meanwhile", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(f *Frame, i int) {
			if i == 0 {
				for p := PolicyOff; p <= PolicyLock; p++ {
					SetPolicy(v.s.ID, p)
					runtime.Gosched()
				}
				SetPolicy(v.s.ID, PolicyInherit)
				return
			}
			for range 3 {
				v.hold(f, mu, 1, func() { access1(f, v.load, v.x) })
				v.hold(f, mu, 2, func() { access1(f, v.store, v.x) })
			}
		})
	}},
	{"the program's init", func(c *course) {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), "ATOMRACE_GAUNTLET=init", fmt.Sprintf("ATOMRACE=heal=%v wait=%v noise=random:1000/5us", settings().heal, gauntletWait))
		if out, err := cmd.CombinedOutput(); err != nil {
			c.t.Errorf("%v\n%s", err, out)
		}
	}},
}

// What an init function may do: sections on several goroutines before main, with
// the settings that the environment has.
var _ = os.Getenv("ATOMRACE_GAUNTLET") == "init" && func() bool {
	opposite(&course{name: "init"}, 2, 4)
	return true
}()

func recurse(v *subject, depth int) {
	framed(func(f *Frame) {
		v.section(f, func() {
			if depth > 0 {
				recurse(v, depth-1)
			}
		})
	})
}

// caught calls do and catches its panic.
func caught(do func()) {
	defer func() { _ = recover() }()
	do()
}
