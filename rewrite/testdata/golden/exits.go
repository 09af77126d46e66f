// Sections: every way out that is no end gets an atomExit.
package main

import "fmt"

type queue struct {
	items []int
	n     int
	ready bool
}

// branch: the other branch of the test.
func (q *queue) branch(extra bool) {
	if len(q.items) > 0 {
		q.items = q.items[1:]
	} else if extra {
		fmt.Println("extra")
	} else {
		fmt.Println("empty")
	}
}

// returns: an early return, and one that is the end itself.
func (q *queue) returns() int {
	if len(q.items) == 0 {
		return 0
	}
	return q.items[0]
}

// loop: entered in the condition, on each way round.
func (q *queue) loop() (sum int) {
	for len(q.items) > 0 {
		if sum > 100 {
			break
		}
		if q.n == 3 {
			q.n++
			continue
		}
		sum += q.items[0]
		q.items = q.items[1:]
	}
	return sum
}

// rounds: the region is inside the loop.
func (q *queue) rounds() {
outer:
	for i := range 4 {
		n := q.n
		switch {
		case i == 1:
			continue
		case i == 2:
			break
		case i == 3:
			break outer
		default:
			q.n = n + 1
		}
		fmt.Println("round", i)
	}
}

// clauses: a switch and a select, one case of which holds the end.
func (q *queue) clauses(c chan int) {
	n := q.n
	switch n {
	case 0:
		q.n = 5
	case 1:
		fmt.Println("one")
	}
	m := q.n
	select {
	case v := <-c:
		q.n = m + v
	default:
		fmt.Println("nothing")
	}
}

// jump leaves by goto; and shortCircuit may leave its end out.
func (q *queue) jump() {
	if q.ready {
		goto out
	}
	fmt.Println("not ready")
	q.ready = true
out:
	fmt.Println("out", q.ready)
}

func (q *queue) shortCircuit(b bool) bool {
	r := q.ready
	r = b && q.ready
	return r
}

// leave: what is done on the way to a return, a panic or the next round lies outside.
func (q *queue) leave(limit int) (left string) {
	defer func() {
		if r := recover(); r != nil {
			left = fmt.Sprint("panicked: ", r)
		}
	}()
	for range 3 {
		n := q.n
		if n > limit {
			fmt.Println("too many")
			return "full"
		} else if n < 0 {
			fmt.Println("too few")
			panic(n)
		}
		switch {
		case n%2 == 0:
			fmt.Println("even")
			q.ready = false
			n++
		case n == 5:
			fmt.Println("five")
			continue
		}
		q.n = n + 1
	}
	return "counted"
}

// update: x++ is a section of its own, and may fail in between.
func (q *queue) update(by int) (err any) {
	defer func() { err = recover() }()
	q.n /= by
	return nil
}

// again begins anew with each round, which ends what the one before has begun. The label
// stays at its loop.
func (q *queue) again(rounds int) {
each:
	for i := range rounds {
		q.n = i
		if i%2 == 0 {
			fmt.Println("even", q.n)
			continue each
		}
		if i > 4 {
			break each
		}
		q.n = 7
	}
}

func main() {
	q := &queue{items: []int{1, 2, 3}, n: 2}
	q.branch(true)
	fmt.Println(q.returns(), q.loop())
	q.branch(false)
	fmt.Println(q.returns())
	q.rounds()
	c := make(chan int, 1)
	q.clauses(c)
	c <- 4
	q.n = 1
	q.clauses(c)
	q.jump()
	q.jump()
	for _, n := range []int{1, 5, 6, -1, 4} {
		q.n = n
		fmt.Println(q.leave(6), q.n)
	}
	q.again(9)
	q.n = 5
	fmt.Println(q.shortCircuit(true), q.update(2), q.update(0), q.n)
}
