package sched_test

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomrace/atomrace/sched"
)

// TestPoller has a goroutine wait for a pipe of the kernel's, as package internal/poll
// does in a controlled build: others go on at once, whether or not there are any, and it
// comes back.
func TestPoller(t *testing.T) {
	for _, others := range []int{0, 1, 3} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(5*time.Millisecond, func() { w.Write([]byte("x")) })
		result := run(t, sched.Options{Patience: time.Hour}, func() {
			n := 0
			for range others {
				sched.Go(func() {
					for range 100 {
						n++
						sched.Yield()
					}
				})
			}
			sched.Outside()
			read, err := r.Read(make([]byte, 1))
			assert(read == 1 && err == nil, "%d %v", read, err)
			sched.Yield()
			for n < 100*others {
				sched.Yield()
			}
		})
		if result.Outcome != sched.OutcomeDone || !strings.Contains(result.Uncontrolled, "outside the process") {
			t.Errorf("%d others: %s %s (%s)", others, result.Outcome, result.Message, result.Uncontrolled)
		}
		r.Close()
		w.Close()
	}
}

// TestPipe: what io.Pipe does in a controlled build.
func TestPipe(t *testing.T) {
	everywhere(t, 10, func() {
		over, data, taken := make(chan struct{}), make(chan []byte), make(chan int)
		sched.Go(func() {
			n, closed, done := sched.PipeWrite(new(sync.Mutex), over, data, taken, []byte("hello"))
			assert(n == 5 && !closed && done, "%d %v %v", n, closed, done)
			sched.PipeClose(over)
		})
		got, p := "", make([]byte, 2)
		for {
			n, closed, done := sched.PipeRead(over, data, taken, p)
			assert(done, "not under control")
			if closed {
				break
			}
			got += string(p[:n])
		}
		assert(got == "hello", "%s", got)
		_, closed, _ := sched.PipeWrite(new(sync.Mutex), over, data, taken, nil)
		assert(closed, "written to a closed pipe")
	}, done)
}
