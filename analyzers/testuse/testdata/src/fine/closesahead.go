package fine

import "sync"

func measure(plank string) int { return len(plank) }

func Lengths(planks []string) <-chan int {
	out := make(chan int, 4)
	var all sync.WaitGroup
	go func() {
		defer close(out)
		for _, p := range planks {
			all.Add(1)
			go func() {
				defer all.Done()
				out <- measure(p)
			}()
		}
		all.Wait()
	}()
	return out
}

// LengthsDone takes one from each before it closes.
func LengthsDone(planks []string) <-chan int {
	out := make(chan int, len(planks))
	done := make(chan struct{})
	go func() {
		defer close(out)
		for _, p := range planks {
			go func() {
				out <- measure(p)
				done <- struct{}{}
			}()
		}
		for range planks {
			<-done
		}
	}()
	return out
}

// LengthsClosed leaves the close to another goroutine.
func LengthsClosed(planks []string) int {
	out := make(chan int)
	var all sync.WaitGroup
	for _, p := range planks {
		all.Add(1)
		go func() {
			defer all.Done()
			out <- measure(p)
		}()
	}
	go func() {
		all.Wait()
		close(out)
	}()
	sum := 0
	for n := range out {
		sum += n
	}
	return sum
}

// Longest asks for them one by one.
func Longest(planks []string) int {
	out := make(chan int)
	defer close(out)
	longest := 0
	for _, p := range planks {
		go func() { out <- measure(p) }()
		longest = max(longest, <-out)
	}
	return longest
}
