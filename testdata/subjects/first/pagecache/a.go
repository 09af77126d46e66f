package pagecache

import (
	"errors"
	"sync"
)

type PageID uint64

type page struct {
	id    PageID
	data  []byte
	dirty bool
	tick  uint64
}

type Backing interface {
	ReadPage(PageID) ([]byte, error)
	WritePage(PageID, []byte) error
}

type Cache struct {
	mu    sync.Mutex
	back  Backing
	max   int
	clock uint64
	pages map[PageID]*page
}

func New(b Backing, max int) *Cache {
	return &Cache{back: b, max: max, pages: make(map[PageID]*page)}
}

func (c *Cache) touch(p *page) {
	c.clock++
	p.tick = c.clock
}

func (c *Cache) evict() error {
	if len(c.pages) < c.max {
		return nil
	}
	var oldest *page
	for _, p := range c.pages {
		if oldest == nil || p.tick < oldest.tick {
			oldest = p
		}
	}
	if oldest == nil {
		return errors.New("pagecache: nothing to evict")
	}
	if oldest.dirty {
		if err := c.back.WritePage(oldest.id, oldest.data); err != nil {
			return err
		}
	}
	delete(c.pages, oldest.id)
	return nil
}

func (c *Cache) With(id PageID, fn func(data []byte) (dirty bool)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.pages[id]
	if !ok {
		if err := c.evict(); err != nil {
			return err
		}
		data, err := c.back.ReadPage(id)
		if err != nil {
			return err
		}
		p = &page{id: id, data: data}
		c.pages[id] = p
	}
	c.touch(p)
	p.dirty = fn(p.data) || p.dirty
	return nil
}
