package broken

import "time"

// PingedPeer is given up when it has been silent for long.
type PingedPeer struct {
	last int64
	out  chan string
	die  chan struct{}
}

func (p *PingedPeer) Serve(next func() string) {
	go p.write()
	for {
		p.handle(next())
	}
}

func (p *PingedPeer) handle(line string) { p.last = time.Now().Unix() }

func (p *PingedPeer) write() {
	t := time.NewTicker(time.Second)
	for {
		select {
		case <-t.C:
			if p.last < time.Now().Add(-time.Minute).Unix() { // want `p.last is looked at here at each tick without a lock or an atomic operation, and \(\*PingedPeer\).handle sets it at the same time`
				return
			}
		case m := <-p.out:
			println(m)
		case <-p.die:
			return
		}
	}
}
