package pagecache

import (
	"io"
	"os"
	"sync"
)

const pageSize = 4096

type page struct {
	data  [pageSize]byte
	dirty bool
}

type Pager struct {
	disk  *os.File
	max   int
	mu    sync.Mutex
	idle  sync.Cond
	busy  map[int64]bool
	pages map[int64]*page
}

func New(f *os.File, max int) *Pager {
	p := &Pager{disk: f, max: max, busy: map[int64]bool{}, pages: map[int64]*page{}}
	p.idle.L = &p.mu
	return p
}

func (p *Pager) makeRoomLocked() (err error) {
	for no, pg := range p.pages {
		delete(p.pages, no)
		if !pg.dirty {
			return nil
		}
		p.busy[no] = true
		p.mu.Unlock()
		_, err = p.disk.WriteAt(pg.data[:], no*pageSize)
		p.mu.Lock()
		delete(p.busy, no)
		if err != nil {
			p.pages[no] = pg
		}
		p.idle.Broadcast()
		return err
	}
	return nil
}

func (p *Pager) fetchLocked(no int64) (*page, error) {
	for {
		if pg := p.pages[no]; pg != nil {
			return pg, nil
		} else if p.busy[no] {
			p.idle.Wait()
		} else if len(p.pages) < p.max {
			break
		} else if err := p.makeRoomLocked(); err != nil {
			return nil, err
		}
	}
	pg := new(page)
	if _, err := p.disk.ReadAt(pg.data[:], no*pageSize); err != nil && err != io.EOF {
		return nil, err
	}
	p.pages[no] = pg
	return pg, nil
}

func (p *Pager) Update(no int64, fn func(*[pageSize]byte)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	pg, err := p.fetchLocked(no)
	if err == nil {
		fn(&pg.data)
		pg.dirty = true
	}
	return err
}
