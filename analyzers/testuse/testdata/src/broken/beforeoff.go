package broken

import "context"

// Gazette tells its readers of what is printed.
type Gazette interface {
	Subscribe(read func(string))
	Unsubscribe(read func(string))
	Follow(read func(string)) (leave func())
}

// Headlines closes the channel first, as the later of two deferred calls runs first.
func Headlines(ctx context.Context, g Gazette) <-chan string {
	lines := make(chan string)
	read := func(line string) {
		if ctx.Err() == nil {
			lines <- line
		}
	}
	go func() {
		defer g.Unsubscribe(read)
		defer close(lines) // want `lines is closed here before the function that sends on it is taken off`
		g.Subscribe(read)
		<-ctx.Done()
	}()
	return lines
}

// PrintedPages does the same without defer, and asks for the end beside the send.
func PrintedPages(ctx context.Context, g Gazette, each func(string)) {
	pages := make(chan string, 8)
	leave := g.Follow(func(page string) {
		select {
		case pages <- page:
		case <-ctx.Done():
		}
	})
	for range 3 {
		each(<-pages)
	}
	close(pages) // want `pages is closed here before the function that sends on it is taken off`
	leave()
}
