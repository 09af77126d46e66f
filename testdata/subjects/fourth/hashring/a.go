package hashring

import (
	"fmt"
	"hash/crc32"
	"slices"
	"sync"
)

type point struct {
	hash uint32
	node string
}

type Ring struct {
	lk       *sync.RWMutex
	replicas int
	members  map[string]int
	points   []point
}

func New(replicas int) *Ring {
	return &Ring{lk: new(sync.RWMutex), replicas: replicas, members: map[string]int{}}
}

func (r *Ring) Join(node string) {
	r.lk.RLock()
	_, known := r.members[node]
	r.lk.RUnlock()
	if !known {
		r.lk.Lock()
		for i := 0; i < r.replicas; i++ {
			h := crc32.ChecksumIEEE([]byte(fmt.Sprintf("%s#%d", node, i)))
			r.points = append(r.points, point{h, node})
		}
		slices.SortFunc(r.points, func(a, b point) int {
			return int(int64(a.hash) - int64(b.hash))
		})
		r.members[node]++
		r.lk.Unlock()
	}
}

func (r *Ring) Owner(key string) (string, bool) {
	h := crc32.ChecksumIEEE([]byte(key))
	r.lk.RLock()
	defer r.lk.RUnlock()
	if len(r.points) == 0 {
		return "", false
	}
	for _, p := range r.points {
		if p.hash >= h {
			return p.node, true
		}
	}
	return r.points[0].node, true
}

func (r *Ring) Listen(joins <-chan string, n int) {
	for range n {
		go func() {
			for name := range joins {
				r.Join(name)
			}
		}()
	}
}
