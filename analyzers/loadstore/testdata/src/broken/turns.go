package broken

import "time"

// Hurrier starts the next one when it has heard from the one before, or is tired of waiting.
type Hurrier struct{ stop chan struct{} }

func (r *Hurrier) Hasty(try func() error, tries int) {
	failed := 0
	for {
		done := make(chan struct{})
		err := try()
		go func() {
			time.Sleep(time.Second)
			if err != nil {
				failed++ // want `one update is lost`
			}
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(time.Second):
		}
		if failed > tries {
			return
		}
	}
}
