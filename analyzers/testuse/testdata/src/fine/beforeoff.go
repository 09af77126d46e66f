package fine

import (
	"context"
	"sync"
)

// Courier tells those who follow it of what it brings.
type Courier interface {
	Subscribe(take func(string))
	Unsubscribe(take func(string))
	Follow(take func(string)) (leave func())
}

// Parcels takes the function off first: the later of two deferred calls runs first.
func Parcels(ctx context.Context, c Courier) <-chan string {
	parcels := make(chan string)
	take := func(p string) {
		select {
		case parcels <- p:
		case <-ctx.Done():
		}
	}
	go func() {
		defer close(parcels)
		defer c.Unsubscribe(take)
		c.Subscribe(take)
		<-ctx.Done()
	}()
	return parcels
}

// OffLetters leaves before it closes.
func OffLetters(c Courier, each func(string)) {
	letters := make(chan string, 8)
	leave := c.Follow(func(l string) { letters <- l })
	each(<-letters)
	leave()
	close(letters)
}

// OffCards has a lock under which the end is told.
func OffCards(ctx context.Context, c Courier) <-chan string {
	var mu sync.Mutex
	over := false
	cards := make(chan string)
	take := func(card string) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			cards <- card
		}
	}
	go func() {
		defer c.Unsubscribe(take)
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			over = true
			close(cards)
		}()
		c.Subscribe(take)
		<-ctx.Done()
	}()
	return cards
}

// OffStamps ends another channel than that on which the function sends.
func OffStamps(ctx context.Context, c Courier) <-chan string {
	stamps, end := make(chan string), make(chan bool)
	take := func(stamp string) {
		select {
		case stamps <- stamp:
		case <-end:
		}
	}
	go func() {
		defer c.Unsubscribe(take)
		defer close(end)
		c.Subscribe(take)
		<-ctx.Done()
	}()
	return stamps
}
