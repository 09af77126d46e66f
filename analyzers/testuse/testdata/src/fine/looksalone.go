package fine

import (
	"os"
	"sync"
	"sync/atomic"
)

// Rounds goes on to the next round after a good one.
func Rounds(rounds [][]string) int32 {
	var failed int32
	for _, files := range rounds {
		var wg sync.WaitGroup
		for _, f := range files {
			wg.Add(1)
			go func(f string) {
				defer wg.Done()
				if os.Remove(f) != nil {
					atomic.AddInt32(&failed, 1)
				}
			}(f)
		}
		wg.Wait()
		if atomic.LoadInt32(&failed) > 0 {
			break
		}
	}
	return failed
}
