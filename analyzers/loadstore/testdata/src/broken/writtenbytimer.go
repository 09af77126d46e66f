package broken

import (
	"errors"
	"log"
	"time"
)

var errGivenUp = errors.New("given up")

// Dialer dials until it is let in, and forgets its failures after a quiet time.
type Dialer struct {
	dial  func() error
	quiet time.Duration
}

func (d *Dialer) Run(stop <-chan struct{}) error {
	failures := 0
	var forget *time.Timer
	for {
		if d.dial() == nil {
			return nil
		}
		failures++ // want `two goroutines can both read failures before either stores it`
		if failures > 10 {
			return errGivenUp
		}
		if forget != nil {
			forget.Stop()
		}
		forget = time.AfterFunc(d.quiet, func() {
			failures = 0
		})
		select {
		case <-stop:
			return nil
		case <-time.After(time.Second):
		}
	}
}

// Drain reads lines, and counts those that came since the last pause.
func Drain(next func() (string, bool)) {
	lines := 0
	pause := time.AfterFunc(time.Minute, func() {
		log.Printf("%d lines", lines)
		lines = 0
	})
	defer pause.Stop()
	for {
		line, ok := next()
		if !ok {
			return
		}
		pause.Reset(time.Minute)
		lines++ // want `two goroutines can both read lines before either stores it`
		log.Print(line)
	}
}
