package blockcache

import "sync"

type Block struct {
	ID    uint64
	Dirty bool
	Data  []byte
}

type Backing interface {
	WriteBack(*Block) error
}

type Cache struct {
	mu     sync.Mutex
	blocks map[uint64]*Block
	order  []uint64
	limit  int
	dev    Backing
}

func New(dev Backing, limit int) *Cache {
	return &Cache{blocks: make(map[uint64]*Block), limit: limit, dev: dev}
}

func (c *Cache) evictLocked() error {
	id := c.order[0]
	c.order = c.order[1:]
	victim := c.blocks[id]
	delete(c.blocks, id)
	if victim == nil || !victim.Dirty {
		return nil
	}
	c.mu.Unlock()
	err := c.dev.WriteBack(victim)
	c.mu.Lock()
	return err
}

func (c *Cache) Insert(b *Block) (*Block, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if have, ok := c.blocks[b.ID]; ok {
		return have, nil
	}
	for len(c.order) >= c.limit {
		if err := c.evictLocked(); err != nil {
			return nil, err
		}
	}
	c.blocks[b.ID] = b
	c.order = append(c.order, b.ID)
	return b, nil
}
