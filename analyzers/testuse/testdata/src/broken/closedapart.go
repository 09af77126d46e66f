package broken

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A channel of a function is closed by something that does not wait for the goroutine that sends on it.

type spool struct {
	turn func() (int, error)
}

func (r *spool) EndedByContext(ctx context.Context) <-chan int {
	out := make(chan int)
	go func() {
		for {
			n, err := r.turn()
			if err != nil {
				return
			}
			select {
			case out <- n:
			case <-ctx.Done(): // both arms are ready, or the send has begun
				return
			}
		}
	}()
	go func() {
		<-ctx.Done()
		close(out) // want `out is closed here while the goroutine that sends on it may still run`
	}()
	return out
}

func (r *spool) unroll(out chan<- int) {
	for {
		n, err := r.turn()
		if err != nil {
			return
		}
		out <- n
	}
}

func (r *spool) EndedByCallback(ctx context.Context) <-chan int {
	out := make(chan int)
	go r.unroll(out)
	context.AfterFunc(ctx, func() { close(out) }) // want `out is closed here while the goroutine that sends on it may still run`
	return out
}

func (r *spool) show(ctx context.Context, out chan<- int, n int) {
	select {
	case out <- n:
	case <-ctx.Done():
	}
}

func (r *spool) ShownByHelper(ctx context.Context) <-chan int {
	out := make(chan int)
	go func() {
		for {
			n, err := r.turn()
			if err != nil {
				return
			}
			r.show(ctx, out, n)
		}
	}()
	go func() {
		defer close(out) // want `out is closed here while the goroutine that sends on it may still run`
		<-ctx.Done()
	}()
	return out
}

func (r *spool) every(f func(int)) {
	for n, err := r.turn(); err == nil; n, err = r.turn() {
		f(n)
	}
}

func (r *spool) GivenLiteral(ctx context.Context) <-chan int {
	out := make(chan int)
	go r.every(func(n int) { out <- n })
	go func() {
		select {
		case <-ctx.Done():
		case <-time.After(time.Hour):
		}
		close(out) // want `out is closed here while the goroutine that sends on it may still run`
	}()
	return out
}

type theatre interface {
	Play() error
	Shutdown() error
}

func PlayUntil(ctx context.Context, t theatre) <-chan error {
	errs := make(chan error, 2)
	go func() { errs <- t.Play() }()
	go func() {
		<-ctx.Done()
		errs <- t.Shutdown()
		close(errs) // want `errs is closed here while the goroutine that sends on it may still run`
	}()
	return errs
}

func TickUntil(stop <-chan struct{}) <-chan time.Time {
	out := make(chan time.Time)
	t := time.NewTicker(time.Second)
	go func() {
		for now := range t.C {
			out <- now
		}
	}()
	go func() {
		<-stop
		t.Stop()
		close(out) // want `out is closed here while the goroutine that sends on it may still run`
	}()
	return out
}

func AnyOf(fs []func() int) int {
	ch := make(chan int)
	defer close(ch) // want `ch is closed here while the goroutine that sends on it may still run`
	for _, f := range fs {
		go func() { ch <- f() }()
	}
	return <-ch
}

func UntilError(fs []func() (int, error)) (list []int, err error) {
	ch, errs := make(chan int), make(chan error)
	defer close(ch)
	defer close(errs) // want `errs is closed here while the goroutine that sends on it may still run`
	for _, f := range fs {
		go func() {
			n, err := f()
			if err != nil {
				errs <- err
				return
			}
			ch <- n
		}()
	}
	for range fs {
		select {
		case n := <-ch:
			list = append(list, n)
		case err := <-errs:
			return nil, err
		}
	}
	return list, nil
}

func AllUntil(ctx context.Context, fs []func() int) <-chan int {
	out := make(chan int)
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(func() { out <- f() })
	}
	go func() {
		<-ctx.Done()
		close(out) // want `out is closed here while the goroutine that sends on it may still run`
	}()
	return out
}

// GatheredLate closes its channel in one of its goroutines and in its own arm for the time.
func GatheredLate(ctx context.Context, f func() int) (n int, err error) {
	ch := make(chan int)
	go func() {
		ch <- f()
		close(ch)
	}()
	select {
	case n = <-ch: // want `two goroutines can both close ch`
		return n, nil
	case <-ctx.Done():
		close(ch)
	}
	return 0, errors.New("late")
}

// Either arm of the sender is ready when the context has ended.
func Offered(ctx context.Context, next func() int) <-chan int {
	values := make(chan int)
	go func() {
		for {
			select {
			case values <- next():
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		defer close(values) // want `values is closed here while the goroutine that sends on it may still run`
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}()
	return values
}

// CloseAfterGroup waits for the jobs, and not for the goroutine that tells of the end of the context.
func CloseAfterGroup(ctx context.Context, jobs []func() error) error {
	errs := make(chan error, len(jobs)+1)
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Add(1)
		go func() {
			defer group.Done()
			errs <- job()
		}()
	}
	go func() {
		<-ctx.Done()
		errs <- ctx.Err()
	}()
	group.Wait()
	close(errs) // want `errs is closed here while the goroutine that sends on it may still run: nothing waits for it, and a send on a closed channel panics`
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
