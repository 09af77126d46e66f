package fine

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

type brickfiring struct {
	wg    sync.WaitGroup
	brick []byte
}

// Kiln asks the brickshelf once more under its lock.
type Kiln struct {
	done    *brickshelf
	mu      sync.Mutex
	burning map[string]*brickfiring
}

// Brick burns the brick, or waits for who burns it.
func (k *Kiln) Brick(key string, burn func(string) []byte) []byte {
	if b, ok := k.done.Get(key); ok {
		return b
	}
	k.mu.Lock()
	if f, ok := k.burning[key]; ok {
		k.mu.Unlock()
		f.wg.Wait()
		return f.brick
	}
	if b, ok := k.done.Get(key); ok {
		k.mu.Unlock()
		return b
	}
	f := &brickfiring{}
	f.wg.Add(1)
	k.burning[key] = f
	k.mu.Unlock()
	k.fire(key, f, burn)
	return f.brick
}

func (k *Kiln) fire(key string, f *brickfiring, burn func(string) []byte) {
	f.brick = burn(key)
	k.mu.Lock()
	k.done.Put(key, f.brick)
	delete(k.burning, key)
	k.mu.Unlock()
	f.wg.Done()
}

// Hearth keeps nothing of what it has done: who comes later is to do it again.
type Hearth struct {
	rules *brickshelf
	mu    sync.Mutex
	lit   map[string]*brickfiring
}

// Light lights what no rule is for.
func (s *Hearth) Light(key string, burn func(string) []byte) []byte {
	if b, ok := s.rules.Get(key); ok {
		return b
	}
	s.mu.Lock()
	if f, ok := s.lit[key]; ok {
		s.mu.Unlock()
		f.wg.Wait()
		return f.brick
	}
	f := &brickfiring{}
	f.wg.Add(1)
	s.lit[key] = f
	s.mu.Unlock()
	f.brick = burn(key)
	s.mu.Lock()
	delete(s.lit, key)
	s.mu.Unlock()
	f.wg.Done()
	return f.brick
}
