package broken

import "sync"

var total int

// Sum adds up in goroutines that share a captured and a package-level variable.
func Sum(parts [][]int) int {
	var sum int
	var running sync.WaitGroup
	for _, part := range parts {
		running.Add(1)
		go func() {
			defer running.Done()
			own := 0
			for _, n := range part {
				own += n
				sum += n // want `both read sum before`
				total++  // want `both read total before`
			}
		}()
	}
	running.Wait()
	sum++ // everybody else is done
	return sum
}

type account struct{ balance int }

func (a *account) deposit(n int) {
	a.balance += n // want `both read a.balance before`
}

type clerk struct{ seen int }

func (c *clerk) work(all []*account) {
	for _, a := range all {
		a.deposit(1)
		c.seen++ // each goroutine has a clerk of its own
	}
}

func Bank(all []*account) {
	var running sync.WaitGroup
	for range 4 {
		c := &clerk{}
		running.Go(func() { c.work(all) })
	}
	running.Wait()
}

// Send fills a slice before the goroutines that send it are started.
func Send(names []string, to []chan []string) {
	var list []string
	for _, name := range names {
		list = append(list, name)
	}
	for _, ch := range to {
		go func() { ch <- list }()
	}
}

// Count starts goroutines that count.
func Count(names []string) {
	var n int
	for range names {
		go func() { n++ }() // want `both read n before`
	}
}
