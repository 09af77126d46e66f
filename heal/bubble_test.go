//go:build !atomrace_off

package heal

import (
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

func TestInBubble(t *testing.T) {
	if inBubble() {
		t.Error("a test by itself is said to be in a bubble")
	}
	synctest.Test(t, func(t *testing.T) {
		if !inBubble() {
			t.Error("a bubble is not recognised")
		}
	})
}

// Noise does not sleep in a bubble: the clock would move, and synctest.Wait would return
// while a goroutine is in the midst of its access, so that what comes after Wait would
// be a data race.
func TestNoiseInBubble(t *testing.T) {
	for _, noise := range []string{"random:1000/2ms", "adaptive:1000/40ms", "random:1000/0s/sleep", "random:1000/20us/sleep", "random:1000/1s/sleep", "random:1000/2ms/yield", "random:1000/2ms/busy", "adaptive:1000/40ms/busy"} {
		configured(t, "noise="+noise)
		before := Stats().Violations
		p := newProgram(t)
		write, read := p.at(Write), p.at(Read)
		synctest.Test(t, func(t *testing.T) {
			begun, x := time.Now(), new(int)
			for i := range 5 {
				go func() {
					Look(write, unsafe.Pointer(x), 8)
					m := Mark(Self(), write, unsafe.Pointer(x), 8)
					*x = i + 1
					Clear(m)
				}()
				synctest.Wait()
				if v := Peek(read, x); v != i+1 {
					t.Errorf("%s: Wait did not wait for write %d", noise, i+1)
				}
			}
			if d := time.Since(begun); d != 0 {
				t.Errorf("%s: the clock moved by %v", noise, d)
			}
		})
		if n := Stats().Violations - before; n != 0 {
			t.Errorf("%s: %d false alarms", noise, n)
		}
	}
}
