package fine

import "context"

// drainsAlone closes a channel of its own, in the one goroutine that it starts.
func drainsAlone(ctx context.Context, drain func(<-chan struct{})) {
	done := make(chan struct{})
	go func() {
		defer func() {
			select {
			case <-done:
			default:
				close(done)
			}
		}()
		<-ctx.Done()
	}()
	<-done
	drain(nil)
}
