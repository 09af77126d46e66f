package imagerefs

import (
	"os"
	"sync"
)

type image struct {
	path string
	f    *os.File
	refs int
}

type Cache struct {
	mu     sync.Mutex
	images map[string]*image
}

type Handle struct {
	c    *Cache
	img  *image
	once sync.Once
}

func NewCache() *Cache { return &Cache{images: make(map[string]*image)} }

func (c *Cache) Open(path string) (*Handle, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	img := c.images[path]
	if img == nil {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		img = &image{path: path, f: f}
		c.images[path] = img
	}
	img.refs++
	return &Handle{c: c, img: img}, nil
}

func (h *Handle) ReadAt(p []byte, off int64) (int, error) { return h.img.f.ReadAt(p, off) }

func (h *Handle) Close() (err error) {
	h.once.Do(func() {
		h.c.mu.Lock()
		defer h.c.mu.Unlock()
		h.img.refs--
		if h.img.refs > 0 {
			return
		}
		delete(h.c.images, h.img.path)
		err = h.img.f.Close()
	})
	return err
}
