package broken

import (
	"strconv"
	"sync"
)

// sumAll counts in a variable that the goroutines have in common; the literal that they run
// has a name.
func sumAll(lines []string) int {
	sum := 0
	var wg sync.WaitGroup
	add := func(line string) {
		n, _ := strconv.Atoi(line)
		sum += n // want `sum`
		wg.Done()
	}
	for _, line := range lines {
		wg.Add(1)
		go add(line)
	}
	wg.Wait()
	return sum
}
