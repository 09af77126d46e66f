// Command soak serves requests that change twenty variables, each of them in a way that
// loses changes when two requests meet: ten updates without a lock, and ten whose lock
// is released between the look and the change. It ends on SIGTERM.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
)

// tally is what is kept of one customer.
type tally struct {
	mu sync.Mutex

	// Changed without the lock.
	orders, items, units, refunds, credits, debits, visits, errors, retries, pages int

	// Changed under the lock, by what was seen under it before.
	stock, cash, points, vouchers, parcels, letters, stamps, drafts, votes, seats int
}

func (t *tally) addOrders(n int)  { t.orders += n }
func (t *tally) addItems(n int)   { t.items += n }
func (t *tally) addUnits(n int)   { t.units += n }
func (t *tally) addRefunds(n int) { t.refunds += n }
func (t *tally) addCredits(n int) { t.credits += n }
func (t *tally) addDebits(n int)  { t.debits += n }
func (t *tally) addVisits(n int)  { t.visits += n }
func (t *tally) addErrors(n int)  { t.errors += n }
func (t *tally) addRetries(n int) { t.retries += n }
func (t *tally) addPages(n int)   { t.pages += n }

func (t *tally) addStock(n int) {
	t.mu.Lock()
	v := t.stock
	t.mu.Unlock()
	t.mu.Lock()
	t.stock = v + n
	t.mu.Unlock()
}

func (t *tally) addCash(n int) {
	t.mu.Lock()
	v := t.cash
	t.mu.Unlock()
	t.mu.Lock()
	t.cash = v + n
	t.mu.Unlock()
}

func (t *tally) addPoints(n int) {
	t.mu.Lock()
	v := t.points
	t.mu.Unlock()
	t.mu.Lock()
	t.points = v + n
	t.mu.Unlock()
}

func (t *tally) addVouchers(n int) {
	t.mu.Lock()
	v := t.vouchers
	t.mu.Unlock()
	t.mu.Lock()
	t.vouchers = v + n
	t.mu.Unlock()
}

func (t *tally) addParcels(n int) {
	t.mu.Lock()
	v := t.parcels
	t.mu.Unlock()
	t.mu.Lock()
	t.parcels = v + n
	t.mu.Unlock()
}

func (t *tally) addLetters(n int) {
	t.mu.Lock()
	v := t.letters
	t.mu.Unlock()
	t.mu.Lock()
	t.letters = v + n
	t.mu.Unlock()
}

func (t *tally) addStamps(n int) {
	t.mu.Lock()
	v := t.stamps
	t.mu.Unlock()
	t.mu.Lock()
	t.stamps = v + n
	t.mu.Unlock()
}

func (t *tally) addDrafts(n int) {
	t.mu.Lock()
	v := t.drafts
	t.mu.Unlock()
	t.mu.Lock()
	t.drafts = v + n
	t.mu.Unlock()
}

func (t *tally) addVotes(n int) {
	t.mu.Lock()
	v := t.votes
	t.mu.Unlock()
	t.mu.Lock()
	t.votes = v + n
	t.mu.Unlock()
}

func (t *tally) addSeats(n int) {
	t.mu.Lock()
	v := t.seats
	t.mu.Unlock()
	t.mu.Lock()
	t.seats = v + n
	t.mu.Unlock()
}

const customers = 16

var tallies [customers]tally

// change is two of the twenty changes, by their kind.
func (t *tally) change(kind, n int) {
	switch kind % 10 {
	case 0:
		t.addOrders(n)
		t.addStock(n)
	case 1:
		t.addItems(n)
		t.addCash(n)
	case 2:
		t.addUnits(n)
		t.addPoints(n)
	case 3:
		t.addRefunds(n)
		t.addVouchers(n)
	case 4:
		t.addCredits(n)
		t.addParcels(n)
	case 5:
		t.addDebits(n)
		t.addLetters(n)
	case 6:
		t.addVisits(n)
		t.addStamps(n)
	case 7:
		t.addErrors(n)
		t.addDrafts(n)
	case 8:
		t.addRetries(n)
		t.addVotes(n)
	case 9:
		t.addPages(n)
		t.addSeats(n)
	}
}

func serve(w http.ResponseWriter, r *http.Request) {
	var n [4]int
	for i, name := range []string{"customer", "kind", "n", "changes"} {
		v, err := strconv.Atoi(r.FormValue(name))
		if err != nil || v < 0 {
			http.Error(w, name+" must be a number", http.StatusBadRequest)
			return
		}
		n[i] = v
	}
	t := &tallies[n[0]%customers]
	for k := range min(n[3], 10) {
		t.change(n[1]+k, n[2])
	}
	json.NewEncoder(w).Encode(map[string]any{"customer": n[0], "note": r.UserAgent()})
}

// state is what the process is like, and the sums over all customers.
type state struct {
	Goroutines int
	Heap       uint64 // bytes in use after a collection
	Sums       [20]int
}

func look(w http.ResponseWriter, _ *http.Request) {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := state{Goroutines: runtime.NumGoroutine(), Heap: m.HeapAlloc}
	for i := range tallies {
		t := &tallies[i]
		for j, v := range []int{
			t.orders, t.items, t.units, t.refunds, t.credits, t.debits, t.visits, t.errors, t.retries, t.pages,
			t.stock, t.cash, t.points, t.vouchers, t.parcels, t.letters, t.stamps, t.drafts, t.votes, t.seats,
		} {
			s.Sums[j] += v
		}
	}
	json.NewEncoder(w).Encode(s)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	http.HandleFunc("/change", serve)
	http.HandleFunc("/state", look)
	server := new(http.Server)
	go server.Serve(l)
	<-ctx.Done()
	if err := server.Shutdown(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}
