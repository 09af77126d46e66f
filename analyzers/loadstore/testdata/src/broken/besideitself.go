package broken

import "sync"

// volume counts what two goroutines of one connection bring.
type volume struct {
	bytes, packets, own int

	mu    sync.Mutex
	conns int
}

func (t *volume) pump(n int) {
	t.bytes += n // want `two goroutines can both read t.bytes before either stores it, and one update is lost: no lock is held`
}

func (t *volume) count() { t.packets++ } // want `two goroutines can both read t.packets before either stores it, and one update is lost: no lock is held`

func (t *volume) one(n int) { t.own += n }

func (t *volume) up() { t.count() }

func (t *volume) down() { t.count() }

func (t *volume) Conn() {
	t.mu.Lock()
	t.conns++
	t.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() { t.pump(1) })
	wg.Go(func() { t.pump(2) })
	wg.Wait()
}

func Volume() *volume {
	t := &volume{}
	go t.up()
	t.down()
	done := make(chan bool)
	go func() {
		t.one(1)
		close(done)
	}()
	<-done
	t.one(2)
	return t
}
