package broken

import (
	"context"
	"sync"
)

func weigh(parcel string) int { return len(parcel) }

// Weights gives the weight of each parcel.
func Weights(parcels []string) <-chan int {
	out := make(chan int, 4)
	go func() {
		defer close(out)
		for _, p := range parcels {
			go func() {
				out <- weigh(p) // want `out can be closed before or during this send, which then panics`
			}()
		}
	}()
	return out
}

// FirstWeight gives up with the context.
func FirstWeight(ctx context.Context, parcels []string) int {
	var busy sync.WaitGroup
	found := make(chan int)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(found)
		for _, p := range parcels {
			select {
			case <-ctx.Done():
				return
			default:
				busy.Add(1)
				go func(p string) {
					defer busy.Done()
					select {
					case <-ctx.Done():
					case found <- weigh(p): // want `found can be closed before or during this send, which then panics`
						cancel()
					}
				}(p)
			}
		}
	}()
	return <-found
}
