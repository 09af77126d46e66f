package offsetstore

import (
	"encoding/gob"
	"fmt"
	"os"
	"sync"
)

type Offsets struct {
	mu   sync.RWMutex
	vals map[int32]int64
}

func (o *Offsets) Get(partition int32) int64 {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.vals[partition]
}

func (o *Offsets) Set(partition int32, off int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.vals[partition] = off
}

type Group struct {
	name    string
	offsets *Offsets
	path    string
}

func NewGroup(name, path string) *Group {
	return &Group{name: name, path: path, offsets: &Offsets{vals: make(map[int32]int64)}}
}

func (g *Group) Commit(partition int32, off int64) error {
	if off < 0 {
		return fmt.Errorf("offsetstore: %s: negative offset %d", g.name, off)
	}
	if cur := g.offsets.Get(partition); off <= cur {
		return nil
	}
	g.offsets.Set(partition, off)
	return nil
}

func (g *Group) Flush() error {
	f, err := os.Create(g.path)
	if err != nil {
		return err
	}
	defer f.Close()
	g.offsets.mu.RLock()
	defer g.offsets.mu.RUnlock()
	return gob.NewEncoder(f).Encode(g.offsets.vals)
}
