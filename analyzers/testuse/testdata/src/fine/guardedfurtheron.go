package fine

import "sync"

// Shares lets so many through for each name.
type Shares struct {
	Limit int
	mu    sync.Mutex
	left  map[string]*share
	notes map[string]int
}

type share struct{ rest int }

func (q *share) take() bool {
	q.rest--
	return q.rest >= 0
}

func NewShares(limit int) *Shares {
	return &Shares{Limit: limit, left: map[string]*share{}, notes: map[string]int{}}
}

// Pass says whether one more may come.
func (q *Shares) Pass(name string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, ok := q.left[name]; !ok {
		q.left[name] = &share{rest: q.Limit}
	}
	return q.left[name].take()
}

// Start fills in the names before it lets others come.
func (q *Shares) Start(names []string) {
	for _, n := range names {
		if _, ok := q.notes[n]; !ok {
			q.notes[n] = q.Limit
		}
	}
	go q.watch()
	q.mu.Lock()
	q.notes["all"] = len(q.notes)
	q.mu.Unlock()
}

func (q *Shares) watch() {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.notes)
}
