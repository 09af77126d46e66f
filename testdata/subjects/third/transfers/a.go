package transfers

import (
	"errors"
	"sync"
	"time"
)

var ErrBusy = errors.New("file is being transferred")

type Transfer struct {
	File  string
	Size  int64
	Start time.Time
}

type Result struct {
	Transfer
	Err  error
	Took time.Duration
}

type Tracker struct {
	actMu  sync.Mutex
	active map[string]Transfer

	doneMu sync.Mutex
	done   []Result
}

func NewTracker() *Tracker {
	return &Tracker{active: make(map[string]Transfer)}
}

func (t *Tracker) Begin(file string, size int64) (Transfer, error) {
	t.actMu.Lock()
	defer t.actMu.Unlock()
	if _, ok := t.active[file]; ok {
		return Transfer{}, ErrBusy
	}
	tr := Transfer{File: file, Size: size, Start: time.Now()}
	t.active[file] = tr
	return tr, nil
}

func (t *Tracker) Finish(tr Transfer, err error) {
	res := Result{Transfer: tr, Err: err, Took: time.Since(tr.Start)}
	t.doneMu.Lock()
	defer t.doneMu.Unlock()
	delete(t.active, tr.File)
	t.done = append(t.done, res)
}

func (t *Tracker) Active() int {
	t.actMu.Lock()
	defer t.actMu.Unlock()
	return len(t.active)
}

func (t *Tracker) Failed() (out []Result) {
	t.doneMu.Lock()
	defer t.doneMu.Unlock()
	for _, r := range t.done {
		if r.Err != nil {
			out = append(out, r)
		}
	}
	return out
}
