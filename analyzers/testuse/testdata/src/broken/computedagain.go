package broken

import "sync"

type brickshelf struct {
	mu     sync.Mutex
	bricks map[string][]byte
}

func (s *brickshelf) Get(key string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.bricks[key]
	return b, ok
}

func (s *brickshelf) Put(key string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bricks[key] = b
}

// Claykiln burns each brick once.
type Claykiln struct {
	done    *brickshelf
	mu      sync.Mutex
	burning map[string]*firing
}

type firing struct {
	wg    sync.WaitGroup
	brick []byte
}

// Brick burns the brick, or waits for who burns it.
func (k *Claykiln) Brick(key string, burn func(string) []byte) []byte {
	b, ok := k.done.Get(key) // want `k.done.Get asks for key before k.mu is taken: another goroutine can have stored it in between, and removed it from k.burning again, so that what is to be done once is done a second time`
	if ok {
		return b
	}
	k.mu.Lock()
	if f, ok := k.burning[key]; ok {
		k.mu.Unlock()
		f.wg.Wait()
		return f.brick
	}
	f := &firing{}
	f.wg.Add(1)
	k.burning[key] = f
	k.mu.Unlock()
	k.fire(key, f, burn)
	return f.brick
}

func (k *Claykiln) fire(key string, f *firing, burn func(string) []byte) {
	f.brick = burn(key)
	k.mu.Lock()
	k.done.Put(key, f.brick)
	delete(k.burning, key)
	k.mu.Unlock()
	f.wg.Done()
}

// Bakehouse is asked itself.
type Bakehouse struct {
	mu     sync.Mutex
	loaves map[int][]byte
	baking map[int]chan struct{}
}

func (o *Bakehouse) lookup(n int) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.loaves[n]
}

func (o *Bakehouse) insert(n int, loaf []byte) {
	o.mu.Lock()
	o.loaves[n] = loaf
	o.mu.Unlock()
}

// Loaf bakes the loaf, or waits for it.
func (o *Bakehouse) Loaf(n int, bake func() []byte) []byte {
	if loaf := o.lookup(n); loaf != nil { // want `o.lookup asks for n before o.mu is taken`
		return loaf
	}
	ready := make(chan struct{})
	o.mu.Lock()
	wait, baked := o.baking[n]
	if !baked {
		o.baking[n] = ready
		defer func() {
			o.mu.Lock()
			delete(o.baking, n)
			o.mu.Unlock()
			close(ready)
		}()
	}
	o.mu.Unlock()
	if baked {
		<-wait
		if loaf := o.lookup(n); loaf != nil {
			return loaf
		}
	}
	loaf := bake()
	o.insert(n, loaf)
	return loaf
}
