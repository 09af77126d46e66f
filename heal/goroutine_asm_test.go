//go:build !atomrace_off && (amd64 || arm64)

package heal

import (
	"sync"
	"testing"
)

// What lies on the goroutine's own stack cannot be shared.
func TestOwnStack(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry := p.at(Read, s)
	f := Begin()
	defer f.End()
	var x int
	access1(&f, entry, &x)
	if c, _ := live(); c != 0 {
		t.Error("a variable on the stack is monitored")
	}
	y := new([1 << 20]int)
	access1(&f, entry, &y[0])
	if c, _ := live(); c != 1 {
		t.Error("a variable on the heap is not monitored")
	}
}

// The tag is the goroutine's own and differs among those that live.
func TestSelf(t *testing.T) {
	const n = 50
	tags := make(chan G, n)
	end := make(chan struct{})
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			g := G(getg())
			grow(40)
			if G(getg()) != g {
				t.Error("the tag changed")
			}
			tags <- g
			<-end
		})
	}
	seen := map[G]bool{G(getg()): true}
	for range n {
		g := <-tags
		if seen[g] {
			t.Errorf("tag %#x twice", g)
		}
		seen[g] = true
	}
	close(end)
	all.Wait()
}

func TestGoroutineID(t *testing.T) {
	for header, want := range map[string]uint64{
		"goroutine 1 [running]:": 1, "goroutine 987654 gp=0xc000 [running]:": 987654, "": 0, "goroutine": 0, "thread 3": 0,
	} {
		if got := parseGoroutineID([]byte(header)); got != want {
			t.Errorf("%q: %d, want %d", header, got, want)
		}
	}
	if goroutineID() == 0 {
		t.Error("no id")
	}
}
