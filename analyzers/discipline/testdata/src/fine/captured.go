package fine

import (
	"log"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/sync/errgroup"
)

// takeLast waits for the goroutine before it looks.
func takeLast(work func() int) int {
	n, done := 0, make(chan struct{})
	go func() {
		n = work()
		close(done)
	}()
	log.Print("at work")
	<-done
	return n
}

// takeAll waits for a group, by a function of its own.
func takeAll(work func() int) int {
	var group sync.WaitGroup
	n := 0
	group.Add(1)
	go func() {
		defer group.Done()
		n = work()
	}()
	waitFor := func() { group.Wait() }
	waitFor()
	return n
}

// watchAll guards what it counts.
func watchAll(work func() int) {
	var mu sync.Mutex
	n := 0
	go func() {
		for {
			d := work()
			mu.Lock()
			n += d
			mu.Unlock()
		}
	}()
	for range time.Tick(time.Second) {
		mu.Lock()
		log.Print(n)
		mu.Unlock()
	}
}

// perTurn has a variable for each turn.
func perTurn(names []string, use func(string)) {
	for _, name := range names {
		short := name[:1]
		go func() { use(short + name) }()
	}
}

// whenTold changes the variable when it is told that it was read.
func whenTold(print func(int)) {
	n, told := 1, make(chan struct{})
	go func() {
		<-told
		n = 2
		print(n)
	}()
	log.Print(n)
	close(told)
}

// fromOthers changes it for what others send.
func fromOthers(in chan int) {
	last := 0
	go func() {
		for i := range in {
			last = i
		}
	}()
	log.Print(last)
	close(in)
}

// untilShut looks at the error when the server is shut down, which waits for it.
func untilShut(srv *http.Server) error {
	var err error
	go func() { err = srv.ListenAndServe() }()
	if closing := srv.Close(); closing != nil {
		return closing
	}
	return err
}

// byFlag reads what was stored before the flag was raised.
func byFlag(work func() int) int {
	var ready atomic.Bool
	n := 0
	go func() {
		n = work()
		ready.Store(true)
	}()
	for !ready.Load() {
		time.Sleep(time.Millisecond)
	}
	return n
}

// oneAfterTheOther starts the second one when the first one is through.
func oneAfterTheOther(a, b func() int) int {
	sum, done := 0, make(chan bool)
	go func() { sum += a(); done <- true }()
	<-done
	go func() { sum += b(); done <- true }()
	<-done
	return sum
}

// eachItsOwn has a variable for each of the goroutines, and waits for both.
func eachItsOwn(a, b func() (int, error)) (int, error) {
	var group sync.WaitGroup
	var x, y int
	var failed, failedToo error
	group.Add(2)
	go func() {
		defer group.Done()
		x, failed = a()
	}()
	go func() {
		defer group.Done()
		y, failedToo = b()
	}()
	group.Wait()
	if failed == nil {
		failed = failedToo
	}
	return x + y, failed
}

// oneByOne waits for the first one of a group before it adds the second one.
func oneByOne(a, b func() int) int {
	var group sync.WaitGroup
	sum := 0
	group.Go(func() { sum += a() })
	group.Wait()
	group.Go(func() { sum += b() })
	group.Wait()
	return sum
}

// readOn reads in the goroutine that looks at what the handler sets: it is the one that calls the handler.
func readOn(c *websocket.Conn) {
	var last time.Time
	c.SetPongHandler(func(string) error { last = time.Now(); return nil })
	go func() {
		for c.ReadMessage() == nil {
			log.Print(last)
		}
	}()
}

// inTurn lets a group start them that has one goroutine at a time.
func inTurn(a, b func() (string, error)) (x, y string, err error) {
	var group errgroup.Group
	group.SetLimit(1)
	group.Go(func() error {
		x, err = a()
		return err
	})
	group.Go(func() error {
		y, err = b()
		return err
	})
	return x, y, group.Wait()
}

// loadOne returns what its goroutine has loaded, together with the wait for it.
func loadOne(a func() (string, error)) (string, error) {
	var group errgroup.Group
	x := ""
	group.Go(func() (err error) {
		x, err = a()
		return err
	})
	return x, group.Wait()
}

// mergeBoth takes from two channels, which the goroutines that fill them close, until both are at their end.
func mergeBoth(fill func(chan<- string) error, next func(<-chan string) string) error {
	left, right := make(chan string), make(chan string)
	var group errgroup.Group
	group.Go(func() error {
		defer close(left)
		return fill(left)
	})
	group.Go(func() error {
		defer close(right)
		return fill(right)
	})
	group.Go(func() error {
		for left != nil || right != nil {
			if left != nil && next(left) == "" {
				left = nil
			}
			if right != nil && next(right) == "" {
				right = nil
			}
		}
		return nil
	})
	return group.Wait()
}
