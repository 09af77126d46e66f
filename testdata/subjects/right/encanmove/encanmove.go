// Package encanmove keeps the states of orders, which move along a table.
package encanmove

import (
	"fmt"
	"sync"
)

// State is that of an order.
type State int

// The states.
const (
	New State = iota
	Paid
	Shipped
	Cancelled
)

var moves = map[State][]State{New: {Paid, Cancelled}, Paid: {Shipped, Cancelled}}

func canMove(from, to State) bool {
	for _, s := range moves[from] {
		if s == to {
			return true
		}
	}
	return false
}

type order struct{ state State }

// Book has the orders.
type Book struct {
	mu     sync.Mutex
	orders map[string]*order
}

// NewBook makes one.
func NewBook() *Book { return &Book{orders: map[string]*order{}} }

// State is the state of the order.
func (b *Book) State(id string) State {
	b.mu.Lock()
	defer b.mu.Unlock()
	if o, ok := b.orders[id]; ok {
		return o.state
	}
	return Cancelled
}

// Move moves the order, if it may still go there.
func (b *Book) Move(id string, to State) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	o, ok := b.orders[id]
	if !ok {
		return fmt.Errorf("no order %s", id)
	}
	if !canMove(o.state, to) {
		return fmt.Errorf("%s cannot go there", id)
	}
	o.state = to
	return nil
}

// Ship ships it if it is paid; Move asks again.
func (b *Book) Ship(id string) error {
	if b.State(id) != Paid {
		return nil
	}
	return b.Move(id, Shipped)
}

// Cancel cancels it if it may be.
func (b *Book) Cancel(id string) error { return b.Move(id, Cancelled) }

// Import takes one over.
func (b *Book) Import(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.orders[id] == nil {
		b.orders[id] = &order{}
	}
}
