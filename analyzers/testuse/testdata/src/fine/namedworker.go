package fine

import (
	"strconv"
	"sync"
)

// parseInTurn runs the named literal itself, one line after the other.
func parseInTurn(lines []string) {
	bad := make(chan struct{})
	parse := func(line string) {
		if _, err := strconv.Atoi(line); err != nil {
			select {
			case <-bad:
			default:
				close(bad)
			}
		}
	}
	for _, line := range lines {
		parse(line)
	}
}

// parseByOne starts one worker, which has a channel of its own.
func parseByOne(lines []string) {
	in := make(chan string, len(lines))
	done := make(chan struct{})
	bad := make(chan struct{})
	work := func() {
		defer close(done)
		for line := range in {
			if _, err := strconv.Atoi(line); err != nil {
				select {
				case <-bad:
				default:
					close(bad)
				}
			}
		}
	}
	go work()
	for _, line := range lines {
		in <- line
	}
	close(in)
	<-done
}

// parseOnce leaves it to a sync.Once.
func parseOnce(lines []string) {
	bad := make(chan struct{})
	var once sync.Once
	var wg sync.WaitGroup
	parse := func(line string) {
		defer wg.Done()
		if _, err := strconv.Atoi(line); err != nil {
			once.Do(func() { close(bad) })
		}
	}
	for _, line := range lines {
		wg.Add(1)
		go parse(line)
	}
	wg.Wait()
}
