package held

import "sync"

// Nothing calls raise and settle, but what they hold is held in what they call.
type delay struct {
	mu    *sync.RWMutex
	value int
}

func (d *delay) raise() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.step(1)
}

func (d *delay) settle() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.step(-1)
	d.around()
}

func (d *delay) step(by int) {
	d.value += by
	probe() // want `<d.mu>`
}

// around and back call one another besides.
func (d *delay) around() {
	probe() // want `<d.mu>`
	d.back()
}

func (d *delay) back() {
	if d.value > 0 {
		d.around()
	}
}
