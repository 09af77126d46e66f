package fine

import (
	"context"
	"errors"
	"sync"
	"time"
)

// What closes a channel of a function after it has waited for those who send on it.

type tape struct {
	next func() (int, error)
	mu   sync.Mutex
}

func (t *tape) Counted(ctx context.Context) <-chan int {
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for ctx.Err() == nil {
			n, err := t.next()
			if err != nil {
				return
			}
			out <- n
		}
	}()
	go func() {
		<-ctx.Done()
		wg.Wait()
		close(out)
	}()
	return out
}

func (t *tape) ToldOver(ctx context.Context) <-chan int {
	out := make(chan int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			n, err := t.next()
			if err != nil {
				return
			}
			out <- n
		}
	}()
	go func() {
		<-ctx.Done()
		<-done
		close(out)
	}()
	return out
}

func (t *tape) EndsItself(ctx context.Context) <-chan int {
	out := make(chan int)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		for {
			n, err := t.next()
			if err != nil {
				return
			}
			out <- n
		}
	}()
	go func() {
		<-ctx.Done()
		close(out)
	}()
	return out
}

func (t *tape) KeptOut(ctx context.Context) <-chan int {
	out := make(chan int, 10)
	closed := false
	go func() {
		for {
			n, err := t.next()
			if err != nil {
				return
			}
			t.mu.Lock()
			if closed {
				t.mu.Unlock()
				return
			}
			out <- n
			t.mu.Unlock()
		}
	}()
	go func() {
		<-ctx.Done()
		t.mu.Lock()
		closed = true
		close(out)
		t.mu.Unlock()
	}()
	return out
}

func (t *tape) AllTaken(n int) (list []int) {
	out := make(chan int)
	stop := make(chan struct{})
	go func() {
		for range n {
			x, _ := t.next()
			out <- x
		}
	}()
	go func() {
		<-stop
		close(out)
	}()
	for range n {
		list = append(list, <-out)
	}
	close(stop)
	return list
}

func (t *tape) Relayed(ctx context.Context) <-chan int {
	out := make(chan int)
	over, all := make(chan struct{}), make(chan struct{})
	go func() {
		n, _ := t.next()
		out <- n
		close(over)
	}()
	go func() {
		<-over
		close(all)
	}()
	go func() {
		<-all
		close(out)
	}()
	return out
}

func EachCounted(fs []func() int, limit time.Duration) (list []int) {
	ch := make(chan int)
	defer close(ch)
	for _, f := range fs {
		go func() { ch <- f() }()
	}
	for range fs {
		list = append(list, <-ch)
	}
	return list
}

func FirstOfOne(f func() int) int {
	ch := make(chan int)
	defer close(ch)
	go func() { ch <- f() }()
	return <-ch
}

func FirstAndWait(fs []func() int) int {
	ch := make(chan int, len(fs))
	defer close(ch)
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, f := range fs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ch <- f()
		}()
	}
	return <-ch
}

// LateAlone closes its channel itself, where several calls have one each.
func LateAlone(fs []func() int, limit time.Duration) (list []int, err error) {
	done := make(chan struct{})
	for _, f := range fs {
		go func() {
			f()
			<-done
		}()
	}
	select {
	case <-time.After(limit):
		close(done)
		return nil, errors.New("late")
	case <-done:
	}
	return list, nil
}

// CloseAfterBoth counts the goroutine that tells of the end of the context as well, which ends with the jobs.
func CloseAfterBoth(ctx context.Context, jobs []func() error) error {
	errs := make(chan error, len(jobs)+1)
	ctx, cancel := context.WithCancel(ctx)
	var group, watch sync.WaitGroup
	for _, job := range jobs {
		group.Add(1)
		go func() {
			defer group.Done()
			errs <- job()
		}()
	}
	watch.Add(1)
	go func() {
		defer watch.Done()
		<-ctx.Done()
		errs <- ctx.Err()
	}()
	group.Wait()
	cancel()
	watch.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// CloseAfterAnswer has received what the goroutine has sent when it closes the channel.
func CloseAfterAnswer(ask func() string) string {
	answers := make(chan string)
	go func() {
		answers <- ask()
	}()
	answer := <-answers
	close(answers)
	return answer
}

// CloseAfterReader learns from the goroutine that receives that all has come.
func CloseAfterReader(list []int, use func(int)) {
	numbers, done := make(chan int), make(chan bool)
	go func() {
		for range list {
			use(<-numbers)
		}
		done <- true
	}()
	go func() {
		for _, n := range list {
			numbers <- n
		}
	}()
	<-done
	close(numbers)
}
