package walflush

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type Journal struct {
	interval int64
	lastSync int64
	syncs    int64

	wmu sync.Mutex
	f   *os.File
}

func OpenJournal(path string, every time.Duration) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &Journal{f: f, interval: int64(every), lastSync: time.Now().UnixNano()}, nil
}

func (j *Journal) Append(rec []byte) error {
	j.wmu.Lock()
	_, err := j.f.Write(rec)
	j.wmu.Unlock()
	if err != nil {
		return err
	}
	return j.maybeSync(time.Now().UnixNano())
}

func (j *Journal) maybeSync(now int64) error {
	last := atomic.LoadInt64(&j.lastSync)
	if now-last >= j.interval {
		atomic.StoreInt64(&j.lastSync, now)
		atomic.AddInt64(&j.syncs, 1)
		return j.f.Sync()
	}
	return nil
}

func (j *Journal) Syncs() int64 { return atomic.LoadInt64(&j.syncs) }
