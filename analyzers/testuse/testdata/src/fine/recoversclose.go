package fine

import (
	"errors"
	"sync"
)

var errRecovers = errors.New("closed already")

// A RecoversPool makes an error of a second close.
type RecoversPool struct {
	mu    sync.Mutex
	conns chan string
	size  int
}

func (p *RecoversPool) Close() (err error) {
	defer func() {
		if recover() != nil {
			err = errRecovers
		}
	}()
	close(p.conns)
	return nil
}

func (p *RecoversPool) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}
