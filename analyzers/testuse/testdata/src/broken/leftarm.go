package broken

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

var errTooSlow = errors.New("too slow")

// The measurement comes after the deadline, and is sent on the closed channel.
func weighed(ctx context.Context, weigh func() int) (int, error) {
	weight := make(chan int)
	defer close(weight) // want `weight is closed here when something else comes before what is sent on it`
	go func() { weight <- weigh() }()
	select {
	case w := <-weight:
		return w, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func Weighed(ctx context.Context, weigh func() int) (int, error) { return weighed(ctx, weigh) }

// The same with close in the arm, and a goroutine that has a name.
func MeasureIn(d time.Duration, measure func() float64) (float64, error) {
	length := make(chan float64, 1)
	go sendLength(measure, length)
	select {
	case l := <-length:
		return l, nil
	case <-time.After(d):
		close(length) // want `length is closed here when something else comes before what is sent on it`
		return 0, errTooSlow
	}
}

func sendLength(measure func() float64, to chan<- float64) { to <- measure() }

// The reader has passed its look at what is told when the channel is closed.
func Frames(r io.Reader, use func([]byte), stop <-chan struct{}) error {
	frames := make(chan []byte)
	told := make(chan struct{})
	go func() {
		for {
			frame := make([]byte, 512)
			n, err := r.Read(frame)
			if err != nil {
				return
			}
			select {
			case <-told:
				return
			default:
			}
			frames <- frame[:n]
		}
	}()
	for {
		select {
		case f := <-frames:
			use(f)
		case <-stop:
			close(told)
			close(frames) // want `frames is closed here when something else comes before what is sent on it`
			return nil
		}
	}
}

// The goroutine is given the function that sends, which takes a lock of its own for something else.
type Barometer struct {
	mu   sync.Mutex
	seen int
}

func (b *Barometer) FirstReading(ctx context.Context, r io.Reader) (string, error) {
	reading := make(chan string, 1)
	defer close(reading) // want `reading is closed here when something else comes before what is sent on it`
	go eachReading(r, func(line string) {
		if line == "" {
			b.mu.Lock()
			b.seen++
			b.mu.Unlock()
			return
		}
		reading <- line
	})
	select {
	case line := <-reading:
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func eachReading(r io.Reader, each func(string)) {
	for buf := make([]byte, 64); ; {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		each(string(buf[:n]))
	}
}
