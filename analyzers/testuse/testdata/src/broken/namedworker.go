package broken

import (
	"strconv"
	"sync"
)

// parseAll gives each line to one of n workers; the literal that they run has a name.
func parseAll(lines []string, n int) {
	in := make(chan string, len(lines))
	bad := make(chan struct{})
	var wg sync.WaitGroup
	work := func() {
		defer wg.Done()
		for line := range in {
			if _, err := strconv.Atoi(line); err != nil {
				select {
				case <-bad: // want `both find bad open and close it twice`
				default:
					close(bad)
				}
			}
		}
	}
	for range n {
		wg.Add(1)
		go work()
	}
	for _, line := range lines {
		in <- line
	}
	close(in)
	wg.Wait()
}

// parseEach calls it in the literal of the goroutine.
func parseEach(lines []string) {
	bad := make(chan struct{})
	var wg sync.WaitGroup
	parse := func(line string) {
		if _, err := strconv.Atoi(line); err != nil {
			select {
			case <-bad: // want `both find bad open and close it twice`
			default:
				close(bad)
			}
		}
	}
	for _, line := range lines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			parse(line)
		}()
	}
	wg.Wait()
}
