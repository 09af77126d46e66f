package broken

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// A Dinghy crosses as long as the far bank answers, and looks for it again when it does not.
type Dinghy struct {
	moored  uint32
	unmoor  chan struct{}
	far     func() error
	retries int
}

func NewDinghy(far func() error) *Dinghy {
	f := &Dinghy{unmoor: make(chan struct{}), far: far}
	go f.search()
	return f
}

func (f *Dinghy) moor() error {
	if err := f.far(); err != nil {
		return err
	}
	atomic.StoreUint32(&f.moored, 1)
	return nil
}

// Leave lets go of the far bank.
func (f *Dinghy) Leave() { f.leave() }

func (f *Dinghy) leave() {
	if atomic.CompareAndSwapUint32(&f.moored, 1, 0) { // want `f.unmoor is closed by whoever changes f.moored, which \(\*Dinghy\).moor sets again after that, and no new channel is made: the second close panics`
		close(f.unmoor)
	}
}

func (f *Dinghy) search() {
	for f.moor() != nil {
		time.Sleep(time.Second)
	}
	f.watch()
}

func (f *Dinghy) watch() {
	for {
		select {
		case <-f.unmoor:
			return
		case <-time.After(time.Second):
		}
		if f.far() != nil {
			break
		}
	}
	f.leave()
	f.search()
}

// A Gondola runs on a track that is laid again and again.
type Gondola struct {
	mu      sync.Mutex
	running bool
	gone    chan struct{}
	lay     func() (func() error, error)
}

func NewGondola() *Gondola {
	return &Gondola{gone: make(chan struct{})}
}

func (t *Gondola) Gone() <-chan struct{} { return t.gone }

func (t *Gondola) Start() {
	go func() {
		for {
			ride, err := t.lay()
			if err != nil {
				continue
			}
			t.mu.Lock()
			t.running = true
			t.mu.Unlock()
			for ride() == nil {
			}
			t.Halt()
		}
	}()
}

func (t *Gondola) Halt() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.running { // want `t.gone is closed by whoever changes t.running, which \(\*Gondola\).Start sets again after that, and no new channel is made: the second close panics`
		return
	}
	t.running = false
	close(t.gone)
}

// A Watermill can be started again.
type Watermill struct {
	turning atomic.Bool
	quit    chan struct{}
	turn    func()
}

func NewWatermill(turn func()) *Watermill {
	return &Watermill{quit: make(chan struct{}), turn: turn}
}

func (w *Watermill) Start() error {
	if !w.turning.CompareAndSwap(false, true) {
		return errors.New("turning")
	}
	go func() {
		for {
			select {
			case <-w.quit:
				return
			default:
				w.turn()
			}
		}
	}()
	return nil
}

func (w *Watermill) Stop() {
	if w.turning.Swap(false) { // want `w.quit is closed by whoever changes w.turning, which \(\*Watermill\).Start sets again after that, and no new channel is made: the second close panics`
		close(w.quit)
	}
}

func (w *Watermill) Restart() error {
	w.Stop()
	return w.Start()
}
