// Sections over sets of variables: fields of a struct, reached in every way that Go
// has, and package-level variables. Each access to one of them is an access to the
// set as well, and a critical section that touches any of them holds the set's lock.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type account struct {
	name    string
	balance int
	version atomic.Int64
	last    struct{ amount, fee int }
	mu      sync.Mutex
}

// customer has an account within.
type customer struct {
	id int
	account
}

var (
	globalMu sync.Mutex
	host     = "localhost"
	port     = 80
)

func (a *account) deposit(n int) int {
	a.mu.Lock()
	before := a.balance
	a.mu.Unlock()
	if n == 0 {
		return before
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance = before + n
	a.last.amount, a.last.fee = n, n/10
	a.version.Add(1)
	return before
}

func (c *customer) state() (int, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version.CompareAndSwap(99, 100) {
		c.balance += c.last.fee
	}
	return c.balance, c.version.Load()
}

func move(h string, p int) {
	globalMu.Lock()
	host = h
	globalMu.Unlock()
	globalMu.Lock()
	port = p
	globalMu.Unlock()
}

// torn panics between the two.
func (a *account) torn(m map[string]int) {
	defer func() { fmt.Println("recovered:", recover() != nil) }()
	a.balance = m["x"]
	m["y"] = a.balance
	a.version.Add(1)
}

func main() {
	c := &customer{id: 1}
	c.name = "Ada"
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 50 {
				move(fmt.Sprint("host", i), i)
			}
		})
	}
	c.deposit(10)
	c.deposit(0)
	c.deposit(7)
	fmt.Println(c.state())
	accounts := []account{{name: "a"}, {name: "b"}}
	for i := range accounts {
		accounts[i].balance = i
		accounts[i].deposit(i + 1)
		fmt.Println(accounts[i].name, accounts[i].balance, accounts[i].version.Load(), accounts[i].last)
	}
	c.torn(nil)
	all.Wait()
	move("end", 1)
	fmt.Println(host, port)
}
