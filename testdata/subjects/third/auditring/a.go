package auditring

import (
	"strings"
	"sync"
	"time"
)

type Record struct {
	At     time.Time
	Actor  string
	Action string
}

type Trail struct {
	mu   sync.Mutex
	recs []Record
	keep time.Duration
}

func NewTrail(keep time.Duration) *Trail {
	return &Trail{keep: keep}
}

func (t *Trail) Add(actor, action string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.recs = append(t.recs, Record{time.Now(), actor, action})
}

func (t *Trail) Trim(now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	cut := 0
	for cut < len(t.recs) && now.Sub(t.recs[cut].At) > t.keep {
		cut++
	}
	t.recs = append([]Record(nil), t.recs[cut:]...)
	return cut
}

func (t *Trail) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.recs)
}

func (t *Trail) At(i int) Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.recs[i]
}

func (t *Trail) Search(actor, verb string) (hits []Record) {
	for i := 0; i < t.Len(); i++ {
		r := t.At(i)
		if actor != "" && r.Actor != actor {
			continue
		}
		if strings.HasPrefix(r.Action, verb) {
			hits = append(hits, r)
		}
	}
	return hits
}
