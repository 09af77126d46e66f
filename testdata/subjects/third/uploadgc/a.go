package uploadgc

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"
)

var ErrUnknownUpload = errors.New("unknown upload")

type upload struct {
	buf     bytes.Buffer
	touched time.Time
}

type Uploads struct {
	rw   sync.RWMutex
	open map[string]*upload
	idle time.Duration
}

func NewUploads(ctx context.Context, idle time.Duration) *Uploads {
	u := &Uploads{open: map[string]*upload{}, idle: idle}
	go func() {
		for ctx.Err() == nil {
			u.reap()
			time.Sleep(idle / 2)
		}
	}()
	return u
}

func (u *Uploads) Begin(id string) {
	u.rw.Lock()
	defer u.rw.Unlock()
	u.open[id] = &upload{touched: time.Now()}
}

func (u *Uploads) Write(id string, chunk []byte) (int, error) {
	u.rw.Lock()
	defer u.rw.Unlock()
	up, ok := u.open[id]
	if !ok {
		return 0, ErrUnknownUpload
	}
	up.touched = time.Now()
	return up.buf.Write(chunk)
}

func (u *Uploads) stale(limit time.Time) (ids []string) {
	u.rw.RLock()
	defer u.rw.RUnlock()
	for id, up := range u.open {
		if up.touched.Before(limit) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (u *Uploads) reap() {
	ids := u.stale(time.Now().Add(-u.idle))
	for _, id := range ids {
		u.rw.Lock()
		delete(u.open, id)
		u.rw.Unlock()
	}
}
