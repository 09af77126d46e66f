package fine

import "sync"

// A Journal is advanced by one, and others look.
type Journal struct {
	mu     sync.RWMutex
	height int
	packet map[uint16]string
}

func (j *Journal) Advance(to int) {
	if to <= j.height {
		panic("not ahead")
	}
	j.mu.Lock()
	j.height = to
	j.mu.Unlock()
}

func (j *Journal) Height() int {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.height
}

// set says whether the packet is a new one.
func (j *Journal) set(id uint16, s string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, ok := j.packet[id]
	j.packet[id] = s
	return !ok
}

func (j *Journal) drop(id uint16) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.packet, id)
}

func (j *Journal) Send(id uint16, s string, out chan<- string) {
	if j.set(id, s) {
		select {
		case out <- s:
		default:
			j.drop(id)
		}
	}
}
