package broken

import "sync"

type pageDisk interface {
	Read(key string) ([]byte, error)
	Write(key string, data []byte) error
}

type DiskPages struct {
	mu       sync.Mutex
	pageDisk pageDisk
	all      map[string][]byte
}

func (p *DiskPages) Get(key string) ([]byte, error) {
	p.mu.Lock()
	data, ok := p.all[key] // want `two goroutines can both pass the test of p.all\[key\] and both set it: p.mu is released in between`
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

func (p *DiskPages) Put(key string, data []byte) error {
	if err := p.pageDisk.Write(key, data); err != nil {
		return err
	}
	p.mu.Lock()
	delete(p.all, key)
	p.mu.Unlock()
	return nil
}
