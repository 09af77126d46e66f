package fine

import (
	"errors"
	"sync"
	"time"
)

var errPlotTaken = errors.New("plot taken")

type plotDeed struct {
	holder string
	at     time.Time
}

type PlotOffice struct {
	mu    sync.RWMutex
	deeds map[string]*plotDeed
	open  sync.Map
	locks sync.Map
	bad   map[string]string
}

// Register looks again under the lock.
func (o *PlotOffice) Register(plot, holder string) error {
	o.mu.RLock()
	_, taken := o.deeds[plot]
	o.mu.RUnlock()
	if taken {
		return errPlotTaken
	}
	d := &plotDeed{holder, time.Now()}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, taken := o.deeds[plot]; taken {
		return errPlotTaken
	}
	o.deeds[plot] = d
	return nil
}

// RegisterOpen leaves it to LoadOrStore.
func (o *PlotOffice) RegisterOpen(plot, holder string) error {
	if _, taken := o.open.Load(plot); taken {
		return errPlotTaken
	}
	if _, taken := o.open.LoadOrStore(plot, &plotDeed{holder, time.Now()}); taken {
		return errPlotTaken
	}
	return nil
}

// Price answers with an error where it has found that there is none.
func (o *PlotOffice) Price(plot string) error {
	v, ok := o.open.Load(plot)
	if ok {
		if v.(int) < 0 {
			return errPlotTaken
		}
		return nil
	}
	price := len(plot) - 1
	o.open.Store(plot, price)
	return nil
}

func (o *PlotOffice) For(plot string) *sync.Mutex {
	if v, ok := o.locks.Load(plot); ok {
		return v.(*sync.Mutex)
	}
	v, _ := o.locks.LoadOrStore(plot, new(sync.Mutex))
	return v.(*sync.Mutex)
}

// ForSure takes a lock around both.
func (o *PlotOffice) ForSure(plot string) *sync.Mutex {
	o.mu.Lock()
	defer o.mu.Unlock()
	if v, ok := o.locks.Load(plot); ok {
		return v.(*sync.Mutex)
	}
	m := new(sync.Mutex)
	o.locks.Store(plot, m)
	return m
}

// buffers are all the same.
var buffers sync.Map

func bufferPool(size int) *sync.Pool {
	if v, ok := buffers.Load(size); ok {
		return v.(*sync.Pool)
	}
	p := &sync.Pool{New: func() any { return make([]byte, size) }}
	buffers.Store(size, p)
	return p
}

func (o *PlotOffice) Serve() {
	for range 2 {
		go o.Register("a", "b")
		go bufferPool(2)
	}
}
