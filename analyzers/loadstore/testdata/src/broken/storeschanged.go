package broken

import (
	"sync"
	"sync/atomic"
)

// Listeners keeps the functions of each topic.
type Listeners struct{ byTopic sync.Map }

func (l *Listeners) Listen(topic string, f func()) {
	v, _ := l.byTopic.LoadOrStore(topic, []func(){}) // want `two goroutines can both read what l.byTopic holds before either stores it, and one update is lost: LoadOrStore and Store are two operations`
	list := v.([]func())
	list = append(list, f)
	l.byTopic.Store(topic, list)
}

// Allowance is given back by a Store of what was there before.
type Allowance struct {
	used  atomic.Int64
	limit int64
}

func (a *Allowance) Take(n int64) bool {
	before := a.used.Load() // want `a.used is set back to what it was before: what other goroutines have added to it in between is lost`
	if a.used.Add(n) > a.limit {
		a.used.Store(before)
		return false
	}
	return true
}
