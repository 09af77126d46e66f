package sched_test

import (
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/atomrace/atomrace/sched"
)

// What ends a process under Main otherwise than by returning.
func init() {
	programs["panic"] = func() {
		sched.Go(func() { panic("boom") })
		sched.Receive(make(chan int))
	}
	programs["mainpanic"] = func() { panic("boom") }
	programs["deadlock"] = func() { sched.Receive(make(chan int)) }
	programs["endless"] = func() {
		for {
			sched.Yield()
		}
	}
	programs["exit"] = func() {
		sched.Yield()
		sched.Flush(3)
		os.Exit(3)
	}
	programs["nothing"] = func() {}
}

func TestMainOutcomes(t *testing.T) {
	for _, c := range []struct {
		program string
		outcome sched.Outcome
		code    int
		stderr  string
	}{
		{"nothing", sched.OutcomeDone, 0, ""},
		{"panic", sched.OutcomePanic, 2, "panic: boom"},
		{"mainpanic", sched.OutcomePanic, 2, "panic: boom"},
		{"deadlock", sched.OutcomeDeadlock, sched.ExitDeadlock, "goroutine 1 waits at"},
		{"endless", sched.OutcomeLimit, sched.ExitLimit, "did not end within 500 decisions"},
		{"exit", sched.OutcomeExit, 3, ""},
	} {
		r, code, stderr := process(t, c.program, sched.Options{Limit: 500})
		if r.Outcome != c.outcome || code != c.code || !strings.Contains(stderr, c.stderr) || (c.stderr == "" && stderr != "") {
			t.Errorf("%s: %s, exit code %d, %s", c.program, r.Outcome, code, stderr)
		}
		if c.program == "exit" && r.ExitCode != 3 {
			t.Errorf("the record's exit code is %d", r.ExitCode)
		}
	}
}

func TestRunOutcomes(t *testing.T) {
	for want, program := range map[sched.Outcome]func(){
		sched.OutcomeDone:   func() {},
		sched.OutcomeGoexit: runtime.Goexit,
		sched.OutcomePanic: func() {
			sched.Go(func() { panic("boom") })
			sched.Receive(make(chan int))
		},
	} {
		r := run(t, sched.Options{}, program)
		if r.Outcome != want || (want == sched.OutcomePanic) != (r.Message == "goroutine 2: boom") {
			t.Errorf("%s %q, want %s", r.Outcome, r.Message, want)
		}
	}
	run(t, sched.Options{}, func() {
		if _, err := sched.Run(sched.Options{}, func() {}); err == nil {
			t.Error("a run inside of a run")
		}
	})
	if _, err := sched.Run(sched.Options{Strategy: "best"}, func() {}); err == nil {
		t.Error("a strategy that is none")
	}
}

func TestMainOptions(t *testing.T) {
	for settings, want := range map[string]string{
		"strategy=best":                  `no strategy "best"`,
		"seed=x":                         "seed=x: it is a number",
		"speed=1":                        `no setting "speed": they are strategy, seed`,
		"strategy=race":                  "strategy=race needs pair=",
		"strategy=replay,schedule=1:ax1": `"ax1" in a schedule`,
		"random":                         `"random" is not a setting`,
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), programVariable+"=nothing", sched.Variable+"="+settings)
		out, err := cmd.CombinedOutput()
		exit, ok := err.(*exec.ExitError)
		if !ok || exit.ExitCode() != sched.ExitOptions || !strings.Contains(string(out), want) || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: %v, %s", settings, err, out)
		}
	}
}

func TestOptionsString(t *testing.T) {
	o := sched.Options{Strategy: "race", Seed: 1<<64 - 1, Pair: [2]string{"a+b,c.go:1", "100%2C.go:2:3"}, NoAccess: true, Patience: time.Second, Record: "x,y"}
	got, err := sched.ParseOptions(o.String())
	if err != nil || got != o {
		t.Errorf("%v: %v, %v", o, got, err)
	}
}

// Operations that are not instrumented: the goroutine blocks in the real thing, the
// others go on, and the run says that it is not deterministic any more.
func TestUncontrolled(t *testing.T) {
	for want, program := range map[string]func(){
		`in "chan receive" in github.com/atomrace/atomrace/sched_test.TestUncontrolled.func1 at `: func() {
			c := make(chan int)
			sched.Go(func() { c <- 1 })
			<-c
		},
		`in "sync.WaitGroup.Wait" in github.com/atomrace/atomrace/sched_test.TestUncontrolled.func2 at `: func() {
			var m sync.Mutex
			var all sync.WaitGroup
			m.Lock()
			all.Add(2)
			for range 2 {
				sched.Go(func() {
					m.Lock()
					sched.Yield()
					m.Unlock()
					all.Done()
				})
			}
			m.Unlock()
			all.Wait()
		},
		`in "run`: func() {
			// Waits in a loop: "running" or "runnable".
			flag := new(int32)
			sched.Go(func() { atomic.StoreInt32(flag, 1) })
			for atomic.LoadInt32(flag) == 0 {
			}
		},
		`in "IO wait" in net.`: func() {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			assert(err == nil, "%v", err)
			sched.Go(func() {
				c, err := net.Dial("tcp", l.Addr().String())
				assert(err == nil, "%v", err)
				c.Write([]byte("x"))
				c.Close()
			})
			c, err := l.Accept()
			assert(err == nil, "%v", err)
			buf := make([]byte, 1)
			n, _ := c.Read(buf)
			assert(n == 1 && buf[0] == 'x', "%q", buf)
		},
	} {
		r := run(t, sched.Options{Patience: time.Millisecond}, program)
		if r.Outcome != sched.OutcomeDone || !strings.Contains(r.Uncontrolled, "since decision") || !strings.Contains(r.Uncontrolled, want) {
			t.Errorf("%s: %s, %s, %q", want, r.Outcome, r.Message, r.Uncontrolled)
		}
	}
}

// Goroutines that are not under control may be at the other end of what those that
// are wait for.
func TestForeigners(t *testing.T) {
	for name, program := range map[string]func(){
		"sends": func() {
			c := make(chan int)
			go func() { c <- 5 }()
			assert(sched.Receive(c) == 5, "another value")
		},
		"receives": func() {
			c, got := make(chan int), make(chan int, 1)
			go func() { got <- <-c }()
			sched.Send(c, 5)
			assert(sched.Receive(got) == 5, "another value")
		},
		"closes": func() {
			c := make(chan int)
			go close(c)
			_, ok := sched.ReceiveOK(c)
			assert(!ok, "open")
		},
		"unlocks": func() {
			var m sync.Mutex
			sched.MutexLock(&m)
			go m.Unlock()
			sched.MutexLock(&m)
		},
		"sends, after all others have come to wait": func() {
			c, start := make(chan int), make(chan bool)
			go func() {
				<-start
				c <- 5
			}()
			sched.Go(func() {
				sched.Sleep(time.Millisecond)
				close(start)
			})
			assert(sched.Receive(c) == 5, "another value")
		},
		"stops timers": func() {
			timer, _ := sched.NewTimer(time.Minute)
			ticker, _ := sched.NewTicker(time.Minute)
			stopped := make(chan bool)
			go func() {
				_, done := sched.TimerStop(timer)
				stopped <- done && sched.TickerStop(ticker)
			}()
			assert(sched.Receive(stopped), "left to the real clock, which panics")
			sched.Sleep(time.Hour)
			assert(len(timer.C) == 0 && len(ticker.C) == 0, "they go on")
		},
		"locks": func() {
			var m sync.Mutex
			var locked, unlock sync.WaitGroup
			locked.Add(1)
			unlock.Add(1)
			go func() {
				m.Lock()
				locked.Done()
				unlock.Wait()
				m.Unlock()
			}()
			locked.Wait()
			sched.Go(func() { sched.Yield(); unlock.Done() })
			sched.MutexLock(&m)
		},
		"reads": func() {
			var m sync.RWMutex
			m.RLock()
			sched.Go(func() { go m.RUnlock() })
			sched.RWMutexLock(&m)
		},
		"is done": func() {
			var g sync.WaitGroup
			g.Add(1)
			go g.Done()
			sched.WaitGroupWait(&g)
		},
		"signals": func() {
			c := sync.NewCond(new(sync.Mutex))
			sched.MutexLock(c.L.(*sync.Mutex))
			go func() {
				time.Sleep(time.Millisecond)
				sched.CondSignal(c)
			}()
			sched.CondWait(c)
		},
	} {
		r := run(t, sched.Options{}, program)
		late := strings.Contains(name, "after all others")
		if r.Outcome != sched.OutcomeDone || late && !strings.Contains(r.Uncontrolled, "from a goroutine that is not under control") {
			t.Errorf("%s: %s, %s, %q", name, r.Outcome, r.Message, r.Uncontrolled)
		}
	}
}

// A timer of a run that is over can still be stopped, by whoever has it.
func TestTimerOfEarlierRun(t *testing.T) {
	var timer *time.Timer
	run(t, sched.Options{}, func() { timer, _ = sched.NewTimer(time.Minute) })
	stop := func() {
		if active, done := sched.TimerStop(timer); active || !done {
			t.Error(active, done)
		}
	}
	stop()
	run(t, sched.Options{}, stop)
}

// Somebody who was given up and has not come back is not called a leak: nobody knows.
func TestLostIsNoLeak(t *testing.T) {
	never := make(chan int)
	r := run(t, sched.Options{Patience: time.Millisecond, Drain: 10}, func() {
		sched.Go(func() { <-never })
		sched.Sleep(10 * time.Millisecond)
	})
	if r.Outcome != sched.OutcomeDone || len(r.Waiting) != 0 || !strings.Contains(r.Uncontrolled, "main_test.go:") {
		t.Errorf("%s %+v %s", r.Outcome, r.Waiting, r.Uncontrolled)
	}
}
