package fine

import (
	"time"
)

// Retrier starts the next one when it has heard from the one before.
type Retrier struct{ stop chan struct{} }

func (r *Retrier) Loop(try func() error, tries int) {
	failed := 0
	for {
		done := make(chan struct{})
		err := try()
		go func() {
			time.Sleep(time.Second)
			if err != nil {
				failed++
			} else {
				failed = 0
			}
			close(done)
		}()
		select {
		case <-done:
		case <-r.stop:
			return
		}
		if failed > tries {
			return
		}
	}
}
