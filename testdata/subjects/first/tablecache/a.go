package tablecache

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

type Cache struct {
	dir  string
	mtx  sync.Mutex
	open map[int]*os.File
}

func New(dir string) *Cache {
	return &Cache{dir: dir, open: map[int]*os.File{}}
}

func (c *Cache) Open(num int) (f *os.File, err error) {
	c.mtx.Lock()
	f, hit := c.open[num]
	c.mtx.Unlock()

	if !hit {
		f, err = os.Open(filepath.Join(c.dir, strconv.Itoa(num)+".sst"))
		if err != nil {
			return nil, err
		}
		c.mtx.Lock()
		c.open[num] = f
		c.mtx.Unlock()
	}
	return f, nil
}

func (c *Cache) Len() int {
	c.mtx.Lock()
	defer c.mtx.Unlock()
	return len(c.open)
}

func (c *Cache) CloseAll() error {
	var errs []error
	c.mtx.Lock()
	defer c.mtx.Unlock()
	for n, f := range c.open {
		errs = append(errs, f.Close())
		delete(c.open, n)
	}
	return errors.Join(errs...)
}
