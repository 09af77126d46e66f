package fine

import (
	"context"
	"sync"
)

type bushSource interface {
	Changes() <-chan string
	Load(path string) error
}

// FollowBush closes the channel when all have sent what they had.
func FollowBush(src bushSource, root string) error {
	changes := make(chan string, 8)
	defer close(changes)
	var senders sync.WaitGroup
	defer senders.Wait()
	senders.Add(1)
	go func() { defer senders.Done(); changes <- root }()
	for {
		select {
		case path, ok := <-src.Changes():
			if !ok {
				return nil
			}
			senders.Add(1)
			go func() { defer senders.Done(); changes <- path }()
		case c := <-changes:
			if err := src.Load(c); err != nil {
				return err
			}
		}
	}
}

// FollowHedge leaves the channel open.
func FollowHedge(ctx context.Context, src bushSource, root string) error {
	changes := make(chan string)
	done := make(chan struct{})
	defer close(done)
	go func() { changes <- root }()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case path := <-src.Changes():
			go func() {
				select {
				case changes <- path:
				case <-done:
				}
			}()
		case c := <-changes:
			if err := src.Load(c); err != nil {
				return err
			}
		}
	}
}

// LoadBoth takes as much as there is.
func LoadBoth(src bushSource, a, b string) (err error) {
	results := make(chan error)
	defer close(results)
	go func() { results <- src.Load(a) }()
	go func() { results <- src.Load(b) }()
	for n := 0; ; {
		select {
		case e := <-results:
			if e != nil {
				err = e
			}
			if n++; n == 2 {
				return err
			}
		}
	}
}
