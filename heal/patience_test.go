//go:build !atomrace_off

package heal

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// queue has n goroutines, one after the other, ask for the healing lock of one
// variable, each of which keeps it for the time hold. It returns how long each
// waited, and how many of them gave up. The clock is the bubble's.
func queue(t *testing.T, bound time.Duration, n int, hold time.Duration) (waited []time.Duration, gaveUp int) {
	t.Helper()
	p := newProgram(t)
	x := new(int)
	on := instance{v: p.v.info(), addr: uintptr(unsafe.Pointer(x))}
	waited = make([]time.Duration, n)
	synctest.Test(t, func(t *testing.T) {
		var all sync.WaitGroup
		var mu sync.Mutex
		for i := range n {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Nanosecond) // the order
				start := time.Now()
				lock, _ := acquire(&on, G(i+1), bound)
				waited[i] = time.Since(start)
				if lock == nil {
					mu.Lock()
					gaveUp++
					mu.Unlock()
					return
				}
				time.Sleep(hold)
				lock.release(G(i + 1))
			})
		}
		all.Wait()
	})
	idle(t)
	return waited, gaveUp
}

// A long queue that moves is not given up, though the last of it waits for a
// multiple of the bound.
func TestPatienceWithAQueueThatMoves(t *testing.T) {
	const bound, hold, n = 10 * time.Millisecond, 8 * time.Millisecond, 30
	waited, gaveUp := queue(t, bound, n, hold)
	if gaveUp > 0 {
		t.Errorf("%d of %d gave up", gaveUp, n)
	}
	if last := waited[n-1]; last < (n-1)*hold {
		t.Errorf("the last waited %v: it was not the last", last)
	}
}

// An owner that never lets go is given up after the bound.
func TestPatienceWithAnOwnerThatStays(t *testing.T) {
	const bound = 10 * time.Millisecond
	waited, gaveUp := queue(t, bound, 3, time.Hour)
	if gaveUp != 2 {
		t.Errorf("%d gave up, want the two that did not get it", gaveUp)
	}
	for _, d := range waited[1:] {
		if d < bound || d > 2*bound {
			t.Errorf("gave up after %v, want about %v", d, bound)
		}
	}
}

// A queue that moves for ever is given up as well.
func TestPatienceEnds(t *testing.T) {
	const bound, hold, n = 10 * time.Millisecond, 9 * time.Millisecond, 90
	waited, gaveUp := queue(t, bound, n, hold)
	if gaveUp == 0 || gaveUp > n/2 {
		t.Errorf("%d of %d gave up", gaveUp, n)
	}
	for i, d := range waited {
		if d > (patienceTurns+2)*bound {
			t.Errorf("number %d waited for %v", i, d)
		}
	}
}

// Who stands far back in a queue seldom looks, and leaves it to those near its head, who look
// as often as without a queue, to notice that the bound is over.
func TestPatienceFarBackInAQueue(t *testing.T) {
	const bound = 100 * time.Millisecond
	for _, x := range []struct {
		ahead int
		nap   time.Duration // between one look and the next
	}{
		{longQueue, 0},
		{1000, 1000 * perHead},
		{100000, bound},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := patience{bound: bound, shared: true}
			for i := range 100 {
				if !p.again(1, x.ahead) {
					t.Fatalf("%d ahead: gave up after %v", x.ahead, p.slept)
				}
				if want := x.nap * time.Duration(i+1); p.slept != want {
					t.Fatalf("%d ahead: slept %v by look %d, want %v", x.ahead, p.slept, i+1, want)
				}
			}
			for p.again(1, 0) {
			}
			if p.rested < bound || p.rested > bound+bound/4 {
				t.Errorf("%d ahead, then none: rested %v, want about %v", x.ahead, p.rested, bound)
			}
		})
	}
}

// An owner that never lets go is given up by all of a long queue, soon after those at its head.
func TestPatienceOfALongQueue(t *testing.T) {
	const bound, n = 10 * time.Millisecond, 500
	waited, gaveUp := queue(t, bound, n, time.Hour)
	if gaveUp != n-1 {
		t.Errorf("%d of %d gave up, want all but the first", gaveUp, n)
	}
	for i, d := range waited[1:] {
		if d < bound || d > 4*bound {
			t.Errorf("number %d gave up after %v, want soon after %v", i, d, bound)
		}
	}
}

// A long queue goes on without long gaps between one owner and the next, and nobody is lost in it.
func TestPatienceLongQueueMoves(t *testing.T) {
	const bound, hold, n = 100 * time.Millisecond, 100 * time.Microsecond, 400
	waited, gaveUp := queue(t, bound, n, hold)
	if gaveUp > 0 {
		t.Errorf("%d of %d gave up", gaveUp, n)
	}
	for i, w := range waited {
		if most := 4*n*hold + bound/4; w > most {
			t.Errorf("number %d waited %v, want at most %v", i, w, most)
		}
	}
}

// Who may not wait does not look again either: it would yield while it holds a lock of the program.
func TestPatienceOfNone(t *testing.T) {
	var p patience
	if p.again(1, 0) {
		t.Error("waits although the bound is 0")
	}
}
