// Select in every form.
package main

import "fmt"

type flag bool

type box struct {
	v  int
	ok flag
}

func filled(values ...int) chan int {
	c := make(chan int, len(values)+1)
	for _, v := range values {
		c <- v
	}
	return c
}

var trace []string

func tr[T any](name string, v T) T {
	trace = append(trace, name)
	return v
}

func forms() {
	c, empty := filled(1, 2, 3, 4, 5), make(chan int)
	var b box
	list := []int{0, 0}
	for range 3 {
		select {
		case v := <-c:
			fmt.Println("define", v)
		case <-empty:
		}
	}
	select {
	case b.v = <-c:
		fmt.Println(b.v)
	}
	select {
	case list[tr("index", 1)], b.ok = <-tr("channel", c):
		fmt.Println(list, b.ok)
	case tr("other", empty) <- tr("value", 1):
	}
	fmt.Println(trace)
	trace = nil
	select {
	case tr("a", empty) <- tr("b", 2):
	case _, ok := <-tr("c", empty):
		fmt.Println(ok)
	default:
		fmt.Println("default", trace)
	}
	select {
	default:
		fmt.Println("only default")
	}
	select {
	default:
		fmt.Println("default first")
	case <-empty:
	}
	close(c)
	select {
	case _, b.ok = (<-c):
		fmt.Println("closed", b.ok)
	}
	var never chan int
	select {
	case never <- 1:
	case <-never:
	default:
		fmt.Println("nil")
	}
}

func leaves(c chan int) string {
	for i := 0; ; i++ {
		select {
		case v := <-c:
			if v == 1 {
				break
			}
			if v == 2 {
				continue
			}
			return fmt.Sprint("returned ", v, " ", i)
		}
	}
}

func labelled(c chan int) (n int) {
loop:
	for {
	inner:
		select {
		case v, ok := <-c:
			switch {
			case !ok:
				break loop
			case v == 1:
				break inner
			case v == 2:
				continue loop
			case v == 3:
				goto end
			}
			n += v
		}
		n++
	}
end:
	return n
}

func terminates(a, b chan int) int {
	select {
	case v := <-a:
		return v
	case b <- 1:
		panic("sent")
	}
}

func shadows(c chan int) {
	v := 1
	select {
	case v := <-c:
		v++
		fmt.Println(v)
	}
	fmt.Println(v)
	true := false
	select {
	case c <- 1:
		fmt.Println(true)
	}
}

func blocks() {
	done := make(chan bool)
	go func() {
		defer func() { done <- recover() != nil }()
		var m map[string]int
		select {
		case m["x"] = <-filled(1):
		}
	}()
	fmt.Println(<-done)
	go func() {
		close(done)
		select {}
	}()
	<-done
}

func main() {
	forms()
	fmt.Println(leaves(filled(1, 2, 3)))
	c := filled(1, 2, 5)
	close(c)
	fmt.Println(labelled(c), labelled(filled(4, 3)))
	fmt.Println(terminates(filled(8), nil))
	shadows(filled(5))
	blocks()
}
