package hashring

import (
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"sort"
	"strconv"
	"sync"
)

var ErrEmpty = errors.New("hashring: no nodes")

type Option func(*Ring)

func Replicas(n int) Option { return func(r *Ring) { r.replicas = n } }

func HashFunc(f func([]byte) uint32) Option { return func(r *Ring) { r.hash = f } }

// Ring maps keys to nodes by consistent hashing.
type Ring struct {
	replicas int
	hash     func([]byte) uint32

	rw     sync.RWMutex
	points []uint32
	owner  map[uint32]string
	hits   map[string]int
}

func New(opts ...Option) *Ring {
	r := &Ring{
		replicas: 100,
		hash:     crc32.ChecksumIEEE,
		owner:    make(map[uint32]string),
		hits:     make(map[string]int),
	}
	for _, o := range opts {
		o(r)
	}
	return r
}

// Add puts nodes on the ring.
func (r *Ring) Add(nodes ...string) error {
	r.rw.Lock()
	defer r.rw.Unlock()
	for _, n := range nodes {
		if _, dup := r.hits[n]; dup {
			return fmt.Errorf("hashring: node %q is on the ring", n)
		}
		r.hits[n] = 0
		for i := range r.replicas {
			p := r.hash([]byte(n + "#" + strconv.Itoa(i)))
			if _, taken := r.owner[p]; taken {
				continue
			}
			r.owner[p] = n
			r.points = append(r.points, p)
		}
	}
	slices.Sort(r.points)
	return nil
}

// Remove takes a node off the ring.
func (r *Ring) Remove(node string) {
	r.rw.Lock()
	defer r.rw.Unlock()
	delete(r.hits, node)
	r.points = slices.DeleteFunc(r.points, func(p uint32) bool {
		if r.owner[p] != node {
			return false
		}
		delete(r.owner, p)
		return true
	})
}

// Locate names the node that owns the key.
func (r *Ring) Locate(key string) (string, error) {
	h := r.hash([]byte(key))
	r.rw.RLock()
	defer r.rw.RUnlock()
	if len(r.points) == 0 {
		return "", ErrEmpty
	}
	i := sort.Search(len(r.points), func(i int) bool { return r.points[i] >= h })
	if i == len(r.points) {
		i = 0
	}
	node := r.owner[r.points[i]]
	r.hits[node]++
	return node, nil
}

// Load reports how many lookups each node got.
func (r *Ring) Load() map[string]int {
	r.rw.RLock()
	defer r.rw.RUnlock()
	return maps.Clone(r.hits)
}
