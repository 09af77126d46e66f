// Lostupdate keeps the stock of a warehouse behind a getter and a setter that
// both lock, and checks that what was delivered is there.
//
// Broken, although every access is locked: deliver adds to what the getter
// returned and hands the sum to the setter. "Read onHand, write onHand" is
// expected to be one step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	trucks = 5
	rounds = 12
)

type stock struct {
	mu     sync.Mutex
	onHand int
}

func (s *stock) quantity() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.onHand
}

func (s *stock) setQuantity(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onHand = n
}

func deliver(s *stock, crates int) {
	s.setQuantity(s.quantity() + crates)
}

func main() {
	s := new(stock)
	var running sync.WaitGroup
	for range trucks {
		running.Go(func() {
			for range rounds {
				time.Sleep(time.Duration(200+rand.IntN(2000)) * time.Microsecond) // on the road
				deliver(s, 3)
			}
		})
	}
	running.Wait()
	const want = trucks * rounds * 3
	if got := s.quantity(); got != want {
		fmt.Printf("WRONG: %d crates in stock, %d delivered\n", got, want)
		os.Exit(1)
	}
	fmt.Printf("ok: %d crates\n", want)
}
