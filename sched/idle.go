package sched

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

const (
	// abandon is the real time after which nobody is expected to come back from an
	// operation that is not instrumented, when all others wait: what go test has
	// for a timeout.
	abandon = 10 * time.Minute
	// grace is the same for goroutines that are not under control and may do
	// something for those that are: nothing says whether they will.
	grace = 200 * time.Millisecond
	// uselessLeaps is how many timers may fire one after the other without waking
	// anybody: tickers that nobody listens to.
	uselessLeaps = 1000
)

// idle is called when nobody is enabled. It makes time pass, or waits for those who
// are not under control, until somebody is; it returns false when nobody ever will,
// and the run is over.
func (e *engine) idle() bool {
	var begin time.Time
	for tries := 0; ; tries++ {
		if e.poll() {
			return true
		}
		if e.useless > uselessLeaps {
			e.deadlock()
			return false
		}
		if !e.foreign() {
			if len(e.timers) == 0 {
				e.deadlock()
				return false
			}
			e.leap()
			return true
		}
		// Somebody who is not under control: real time passes. A goroutine that
		// has ended but is still being counted is gone in a moment.
		if tries < 20 {
			runtime.Gosched()
			continue
		}
		if begin.IsZero() {
			begin = time.Now()
		}
		waited := time.Since(begin)
		if len(e.timers) > 0 && waited >= e.timers[0].when-e.now {
			e.leap()
			return true
		}
		if waited > abandon || e.lost == 0 && len(e.timers) == 0 && waited > grace {
			e.deadlock()
			return false
		}
		time.Sleep(min(time.Duration(tries)*5*time.Microsecond, time.Millisecond))
	}
}

// poll looks whether those who are not under control have done something for
// those that are. Without any of them it finds nothing.
func (e *engine) poll() bool {
	e.readInbox()
	for _, g := range e.alive {
		if !g.enabled && g.obstacle != nil && g.obstacle.over(e) {
			e.uncontrol(fmt.Sprintf("goroutine %d has got what it waited for (%s) from a goroutine that is not under control", g.ID, e.describe(&g.Next)))
			e.enable(g)
		}
	}
	return len(e.state.Enabled) > 0
}

// An inbox takes what goroutines without the token have for the one that has it.
// Its lock is one of its own: those of the standard library may call this package.
type inbox struct {
	full  uint32 // does it hold something?
	lock  uint32
	lost  []*Goroutine // given up, and not back yet
	tasks []func()     // for whoever has the token
}

func (b *inbox) acquire() {
	for !atomic.CompareAndSwapUint32(&b.lock, 0, 1) {
		runtime.Gosched()
	}
}

func (b *inbox) release() { atomic.StoreUint32(&b.lock, 0) }

// put leaves a task.
func (b *inbox) put(task func()) {
	b.acquire()
	b.tasks = append(b.tasks, task)
	atomic.StoreUint32(&b.full, 1)
	b.release()
}

// readInbox does what others have left.
func (e *engine) readInbox() {
	if atomic.LoadUint32(&e.inbox.full) == 0 {
		return
	}
	e.inbox.acquire()
	tasks := e.inbox.tasks
	e.inbox.tasks = nil
	atomic.StoreUint32(&e.inbox.full, 0)
	e.inbox.release()
	for _, task := range tasks {
		task()
	}
}
