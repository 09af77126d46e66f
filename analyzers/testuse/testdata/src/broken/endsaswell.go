package broken

import (
	"context"
	"errors"
	"log"
)

type spring interface {
	Flow(ctx context.Context, drops chan<- string) error
}

// Collect ends when the spring does, and so does its goroutine.
func Collect(ctx context.Context, s spring, pail chan<- string) {
	drops := make(chan string)
	go func() {
		if err := s.Flow(ctx, drops); err != nil {
			if errors.Is(err, context.Canceled) {
				log.Print(err)
			}
			close(pail) // want `pail is closed here, and by the function that has started this goroutine when it ends`
			return
		}
	}()
	for d := range drops {
		pail <- d
	}
	close(pail)
}

// Siphon has its close deferred.
func Siphon(ctx context.Context, s spring, use func(string)) {
	drops := make(chan string)
	defer close(drops)
	go func() {
		err := s.Flow(ctx, drops)
		if err != nil {
			close(drops) // want `drops is closed here, and by the function that has started this goroutine when it ends`
		}
	}()
	for {
		select {
		case d := <-drops:
			use(d)
		case <-ctx.Done():
			return
		}
	}
}
