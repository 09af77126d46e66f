package broken

import "sync"

// Quotas lets so many through for each name.
type Quotas struct {
	Limit int
	left  map[string]*quota
	sync.Mutex
}

type quota struct{ rest int }

func (q *quota) take() bool {
	q.rest--
	return q.rest >= 0
}

func NewQuotas(limit int) *Quotas {
	return &Quotas{Limit: limit, left: map[string]*quota{}}
}

// Pass says whether one more may come.
func (q *Quotas) Pass(name string) bool {
	if _, ok := q.left[name]; !ok { // want `two goroutines can both pass the test of q.left\[name\] and both set it: no lock is held`
		q.left[name] = &quota{rest: q.Limit}
	}
	q.Lock()
	defer q.Unlock()
	return q.left[name].take()
}

// Refill gives each name as much as at first.
func (q *Quotas) Refill() {
	q.Lock()
	defer q.Unlock()
	for _, one := range q.left {
		one.rest = q.Limit
	}
}
