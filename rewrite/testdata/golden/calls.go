// Sections that begin or end with what a method of the program does.
package main

import (
	"errors"
	"fmt"
	"sync"
)

type account struct {
	mu      sync.Mutex
	balance int
	owner   *string
	notes   []error
}

func (a *account) get() int {
	if a == nil {
		return -1
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func (a *account) set(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance = n
}

func (a *account) holder() (*string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.owner, a.owner != nil
}

func (a *account) assign(owner *string, why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.owner = owner
	a.notes = append(a.notes, why)
}

func deposit(a *account, n int) { a.set(a.get() + n) }

func current() *account { return only }

var only = new(account)

func evaluatedOnce() {
	if current().get() == 0 {
		current().set(7)
	}
}

func claim(a *account, name string) bool {
	if _, taken := a.holder(); taken {
		return false
	}
	a.assign(&name, errors.New("claimed"))
	return true
}

func abandon(a *account) {
	if _, taken := a.holder(); !taken {
		return
	}
	a.assign(nil, nil)
}

// bank has an account within.
type bank struct{ own account }

func (b *bank) earn(n int) { b.own.set(b.own.get() + n) }

func theBank() *bank { return &bank{} }

func collect() int {
	var local account
	if local.get() == 0 {
		local.set(2)
	}
	if theBank().own.get() == 0 {
		theBank().own.set(3)
	}
	return local.get()
}

func main() {
	b := new(bank)
	b.earn(5)
	fmt.Println(b.own.get(), collect())
	a := new(account)
	deposit(a, 3)
	deposit(a, 4)
	evaluatedOnce()
	fmt.Println(a.get(), only.get(), (*account)(nil).get())
	fmt.Println(claim(a, "Ada"), claim(a, "Bob"), *a.owner)
	abandon(a)
	fmt.Println(a.owner, a.notes)
	func() {
		defer func() { fmt.Println("recovered:", recover() != nil) }()
		deposit(nil, 1)
	}()
	deposit(a, 1)
	fmt.Println(a.get())
}
