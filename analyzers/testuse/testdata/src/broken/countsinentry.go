package broken

import (
	"os"
	"sync"
)

// An entry that holds a count by value: who puts a new one over it forgets what others have counted.

type refdFile struct {
	f    *os.File
	refs int
}

type RefdFiles struct {
	mu    sync.Mutex
	files map[string]refdFile
}

func NewRefdFiles() *RefdFiles { return &RefdFiles{files: map[string]refdFile{}} }

func (c *RefdFiles) Open(path string) (f *os.File, err error) {
	f, err = func() (f *os.File, err error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if e, ok := c.files[path]; ok { // want `two goroutines can both pass the test of c\.files\[path\] and both set it: c\.mu is released in between`
			e.refs++
			c.files[path] = e
			return e.f, nil
		}
		return nil, nil
	}()
	if f != nil || err != nil {
		return f, err
	}
	f, err = os.Open(path)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	c.files[path] = refdFile{f: f, refs: 1}
	return f, nil
}
