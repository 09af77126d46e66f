package broken

import (
	"log"
	"sync"
)

// Downlink acts by the value that it logs.
type Downlink struct {
	mu       sync.Mutex
	endpoint string
	dial     func(string)
}

func (d *Downlink) Move(to string) {
	d.mu.Lock()
	d.endpoint = to
	d.mu.Unlock()
}

func (d *Downlink) Moved(to string) {
	d.mu.Lock()
	d.endpoint = to
	d.mu.Unlock()
}

func (d *Downlink) Read(fail error) {
	d.mu.Lock()
	gone := d.endpoint == ""
	d.mu.Unlock()
	if !gone {
		d.dial(d.endpoint) // want `d.endpoint is accessed here without the lock that all other functions hold for it`
		log.Print(fail)
	}
}
