package imgpull

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

type Remote interface {
	Blob(ctx context.Context, digest string) (io.ReadCloser, error)
}

type download struct {
	done chan struct{}
	err  error
}

type Puller struct {
	remote Remote
	dir    string
	rw     sync.RWMutex
	active map[string]*download
}

func NewPuller(r Remote, dir string) *Puller {
	return &Puller{remote: r, dir: dir, active: map[string]*download{}}
}

func (p *Puller) Layer(ctx context.Context, digest string) (string, error) {
	p.rw.RLock()
	d, ok := p.active[digest]
	p.rw.RUnlock()
	if !ok {
		d = &download{done: make(chan struct{})}
		p.rw.Lock()
		p.active[digest] = d
		p.rw.Unlock()
		go p.fetch(context.WithoutCancel(ctx), digest, d)
	}
	select {
	case <-d.done:
		return filepath.Join(p.dir, digest), d.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (p *Puller) fetch(ctx context.Context, digest string, d *download) {
	defer close(d.done)
	rc, err := p.remote.Blob(ctx, digest)
	if err != nil {
		d.err = fmt.Errorf("layer %s: %w", digest, err)
		return
	}
	defer rc.Close()
	f, err := os.Create(filepath.Join(p.dir, digest))
	if err != nil {
		d.err = err
		return
	}
	_, err = io.Copy(f, rc)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	d.err = err
}
