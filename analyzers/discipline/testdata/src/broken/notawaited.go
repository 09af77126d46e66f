package broken

import (
	"log"
	"strconv"
)

// Leaflets collects what is found, by a goroutine that nobody waits for.
func Leaflets(find func(chan int) error) ([]string, error) {
	var pages []string
	found := make(chan int)
	go func() {
		for n := range found {
			log.Print(n)
			pages = append(pages, strconv.Itoa(n)) // want `pages is set here by a goroutine that lets nobody know when it is done, and read by the function that has started it, which cannot wait for that`
		}
	}()
	err := find(found)
	close(found)
	return pages, err
}
