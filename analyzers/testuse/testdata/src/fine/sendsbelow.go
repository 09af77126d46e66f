package fine

import "sync"

// Tidying asks whether it is closed, with the lock held that Close has, too, in the method around the send.
type Tidying struct {
	mu     sync.Mutex
	todo   []string
	closed bool
	bell   chan struct{}
}

func NewTidying() *Tidying {
	c := &Tidying{bell: make(chan struct{}, 1)}
	go func() {
		for range c.bell {
			c.work()
		}
	}()
	return c
}

func (c *Tidying) work() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.todo = nil
}

func (c *Tidying) put(what string) {
	c.todo = append(c.todo, what)
	select {
	case c.bell <- struct{}{}:
	default:
	}
}

func (c *Tidying) Add(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.put(what)
	}
}

func (c *Tidying) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.bell)
	}
}

// Batches sends its last batch from the method that closes the channel, and the loop that it begins with.
type Batches struct {
	mu   sync.Mutex
	rows []int
	out  chan []int
	once sync.Once
}

func (b *Batches) flush() {
	b.out <- b.rows
	b.rows = nil
}

func (b *Batches) Add(row int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rows = append(b.rows, row); len(b.rows) > 9 {
		b.flush()
	}
}

func (b *Batches) Close() {
	b.once.Do(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.flush()
		close(b.out)
	})
}
