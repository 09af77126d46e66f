package fine

import "sync"

type pageDisk interface {
	Read(key string) ([]byte, error)
	Stat(key string) error
}

// DiskPages are never written: what is forgotten is read again.
type DiskPages struct {
	mu       sync.Mutex
	pageDisk pageDisk
	all      map[string][]byte
}

func (p *DiskPages) Get(key string) ([]byte, error) {
	p.mu.Lock()
	data, ok := p.all[key]
	p.mu.Unlock()
	if ok {
		return data, nil
	}
	data, err := p.pageDisk.Read(key)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.all[key] = data
	p.mu.Unlock()
	return data, nil
}

func (p *DiskPages) Forget(key string) {
	p.mu.Lock()
	delete(p.all, key)
	p.mu.Unlock()
}
