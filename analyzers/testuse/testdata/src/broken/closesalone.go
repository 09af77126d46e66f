package broken

import "context"

// drainsTwice closes a channel of its own, in each of two goroutines.
func drainsTwice(ctx, other context.Context) {
	done := make(chan struct{})
	for _, c := range []context.Context{ctx, other} {
		go func() {
			defer func() {
				select {
				case <-done: // want `two goroutines can both find done open and close it twice: the look and close are two operations`
				default:
					close(done)
				}
			}()
			<-c.Done()
		}()
	}
	<-done
}
