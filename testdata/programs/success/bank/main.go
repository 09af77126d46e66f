// Bank moves money between a handful of accounts from several tellers at once
// and checks, when the last teller has gone home, that every account agrees
// with the journals and that no cent was made or lost.
//
// Every account has a mutex, held around each change of its balance.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"sync"
)

const (
	tellers   = 8
	transfers = 40
	opening   = 10_000
)

type account struct {
	name string

	mu      sync.Mutex
	balance int64
}

func (a *account) deposit(amount int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += amount
}

func (a *account) withdraw(amount int64) {
	a.mu.Lock()
	a.balance -= amount
	a.mu.Unlock()
}

// A booking is one line of a teller's journal.
type booking struct {
	from, to int
	amount   int64
	receipt  uint64
}

// A teller draws its customers from a sequence of its own, so that the work of
// a run is the same every time.
type teller struct {
	number  uint32
	seed    uint32
	journal []booking
}

func (t *teller) draw(n uint32) uint32 {
	t.seed = t.seed*1664525 + 1013904223
	return (t.seed >> 16) % n
}

func (t *teller) work(accounts []*account) {
	for i := range transfers {
		from := int(t.draw(uint32(len(accounts))))
		to := (from + 1 + int(t.draw(uint32(len(accounts)-1)))) % len(accounts)
		amount := int64(1 + t.draw(100))

		accounts[from].withdraw(amount)
		accounts[to].deposit(amount)

		receipt := fnv.New64a()
		fmt.Fprintf(receipt, "teller %d no. %d: %s to %s: %d", t.number, i,
			accounts[from].name, accounts[to].name, amount)
		t.journal = append(t.journal, booking{from, to, amount, receipt.Sum64()})
	}
}

func main() {
	accounts := []*account{
		{name: "Ada", balance: opening},
		{name: "Bob", balance: opening},
		{name: "Cleo", balance: opening},
	}

	staff := make([]*teller, tellers)
	open := make(chan struct{})
	var day sync.WaitGroup
	for i := range staff {
		t := &teller{number: uint32(i), seed: uint32(i + 1)}
		staff[i] = t
		day.Go(func() {
			<-open
			t.work(accounts)
		})
	}
	close(open)
	day.Wait()

	// The journals are the truth: replay them.
	want := make([]int64, len(accounts))
	for i := range want {
		want[i] = opening
	}
	for _, t := range staff {
		for _, b := range t.journal {
			want[b.from] -= b.amount
			want[b.to] += b.amount
		}
	}
	var total int64
	agree := true
	for i, a := range accounts {
		total += a.balance
		agree = agree && a.balance == want[i]
	}
	if !agree {
		fmt.Printf("WRONG: the bank holds %d, %d were paid in, and the accounts differ from the journals\n",
			total, int64(len(accounts)*opening))
		os.Exit(1)
	}
	fmt.Printf("ok: %d transfers, the bank holds %d\n", tellers*transfers, total)
}
