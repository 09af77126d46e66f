package acceptquota

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

var ErrQuota = errors.New("acceptquota: too many connections from network")

type usage struct {
	open  int
	total int
	last  time.Time
}

// Quota bounds the open connections per client network.
type Quota struct {
	perNet int
	bits   int

	mu   sync.Mutex
	nets map[netip.Prefix]usage
}

func NewQuota(perNet, bits int) *Quota {
	return &Quota{perNet: perNet, bits: bits, nets: make(map[netip.Prefix]usage)}
}

func (q *Quota) network(a netip.Addr) netip.Prefix {
	bits := q.bits
	if a.Unmap().Is6() {
		bits = 64
	}
	p, err := a.Unmap().Prefix(bits)
	if err != nil {
		return netip.PrefixFrom(a, a.BitLen())
	}
	return p
}

func (q *Quota) used(n netip.Prefix) int { return q.nets[n].open }

func (q *Quota) charge(n netip.Prefix, delta int) {
	u := q.nets[n]
	u.open += delta
	if delta > 0 {
		u.total += delta
	}
	u.last = time.Now()
	q.nets[n] = u
}

func (q *Quota) admit(n netip.Prefix, want int) error {
	if have := q.used(n); have+want > q.perNet {
		return fmt.Errorf("%w: %s has %d open", ErrQuota, n, have)
	}
	q.charge(n, want)
	return nil
}

// Admit takes one place for the client.
func (q *Quota) Admit(a netip.Addr) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.admit(q.network(a), 1)
}

// AdmitAll takes places for a batch of clients, or none at all.
func (q *Quota) AdmitAll(addrs []netip.Addr) error {
	wanted := make(map[netip.Prefix]int)
	for _, a := range addrs {
		wanted[q.network(a)]++
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	done := make(map[netip.Prefix]int, len(wanted))
	for n, want := range wanted {
		if err := q.admit(n, want); err != nil {
			for m, got := range done {
				q.charge(m, -got)
			}
			return err
		}
		done[n] = want
	}
	return nil
}

// Release gives a place back.
func (q *Quota) Release(a netip.Addr) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.charge(q.network(a), -1)
}

// Prune forgets networks that were quiet for the given time.
func (q *Quota) Prune(quiet time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for n, u := range q.nets {
		if u.open == 0 && time.Since(u.last) > quiet {
			delete(q.nets, n)
		}
	}
}
