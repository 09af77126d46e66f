package fine

// OneSlotted hands an event to whoever listens; its channel has no buffer, and so never any length.
type OneSlotted struct {
	ch chan int
}

func NewOneSlotted() *OneSlotted { return &OneSlotted{ch: make(chan int)} }

func (o *OneSlotted) Drain() {
	for len(o.ch) > 0 {
		<-o.ch
	}
}

// Raise is called by several goroutines.
func (o *OneSlotted) Raise(events []int) {
	for _, e := range events {
		go func() {
			o.Drain()
			select {
			case o.ch <- e:
			default:
			}
		}()
	}
}
