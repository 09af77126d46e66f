package fine

import (
	"os"
	"strconv"
	"sync"
)

// Leaflets collects what is found, by goroutines that are waited for in one way or another.
func Leaflets(find func(chan int) error) ([]string, error) {
	var pages []string
	found, done := make(chan int), make(chan struct{})
	go func() {
		for n := range found {
			pages = append(pages, strconv.Itoa(n))
		}
		close(done)
	}()
	err := find(found)
	close(found)
	<-done
	return pages, err
}

func Counted(find func(chan int) error) (n int, err error) {
	found := make(chan int)
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		for range found {
			n++
		}
	}()
	err = find(found)
	close(found)
	group.Wait()
	return n, err
}

// Signed hears from the goroutine when that receives.
func Signed(sign func() error) (err error) {
	over := make(chan struct{})
	go func() {
		err = sign()
		<-over
	}()
	over <- struct{}{}
	return err
}

// Removed is ended by what the goroutine does to the file.
func Removed(f *os.File, wait func() error) error {
	var failed error
	go func() {
		failed = os.Remove(f.Name())
		f.Close()
	}()
	if err := wait(); err != nil {
		return err
	}
	return failed
}

// Own is another variable.
func Own(list []int) int {
	sum := 0
	go func() {
		sum := 0
		for _, n := range list {
			sum += n
		}
		println(sum)
	}()
	return sum
}
