package groupcommit

import (
	"os"
	"sync"
)

type Journal struct {
	mu      sync.Mutex
	cond    *sync.Cond
	f       *os.File
	written int64
	durable int64
	syncing bool
	err     error
}

func Open(path string) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	j := &Journal{f: f}
	j.cond = sync.NewCond(&j.mu)
	return j, nil
}

func (j *Journal) syncLocked() {
	j.syncing = true
	upto := j.written
	j.mu.Unlock()
	err := j.f.Sync()
	j.mu.Lock()
	j.syncing = false
	if err != nil {
		j.err = err
	} else {
		j.durable = max(j.durable, upto)
	}
	j.cond.Broadcast()
}

func (j *Journal) Commit(rec []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	n, err := j.f.Write(rec)
	j.written += int64(n)
	if err != nil {
		return err
	}
	mine := j.written
	for j.durable < mine && j.err == nil {
		if j.syncing {
			j.cond.Wait()
			continue
		}
		j.syncLocked()
	}
	return j.err
}

func (j *Journal) Durable() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.durable
}
