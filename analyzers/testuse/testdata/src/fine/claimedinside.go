package fine

import "sync"

type rendition struct {
	done chan struct{}
	text string
}

// Playbills are printed by the one that asks first; the others wait for that.
type Playbills struct {
	mu      sync.Mutex
	presses map[string]*rendition
	print   func(string) string
}

func (p *Playbills) Get(play string) string {
	first, r := p.joinPress(play)
	if !first {
		<-r.done
		return r.text
	}
	text := p.print(play)
	p.leavePress(play, r, text)
	return text
}

func (p *Playbills) joinPress(play string) (bool, *rendition) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.presses[play]; r != nil {
		return false, r
	}
	r := &rendition{done: make(chan struct{})}
	p.presses[play] = r
	return true, r
}

func (p *Playbills) leavePress(play string, r *rendition, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.text = text
	delete(p.presses, play)
	close(r.done)
}

// Departures are gone through by goroutines, each at an index of its own.
type Departures struct{ lines []map[int]int }

func (d *Departures) Stops() int {
	type tableau struct {
		seen  map[int]bool
		later map[int]bool
	}
	all := make([]tableau, len(d.lines))
	var wg sync.WaitGroup
	wg.Add(len(d.lines))
	for i, line := range d.lines {
		go func(i int, line map[int]int) {
			t := &all[i]
			t.seen = make(map[int]bool)
			for stop := range line {
				if stop != i {
					if t.later == nil {
						t.later = make(map[int]bool)
					}
					t.later[stop] = true
				}
			}
			wg.Done()
		}(i, line)
	}
	wg.Wait()
	n := 0
	for i := range all {
		n += len(all[i].later)
	}
	return n
}
