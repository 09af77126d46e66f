package fine

import (
	"sync"
	"time"
)

type sheet struct {
	text string
	read time.Time
}

// Sheets looks for the sheet again, whatever the number of them.
type Sheets struct {
	mu    sync.Mutex
	kept  map[string]*sheet
	most  int
	fetch func(string) (string, error)
}

func (p *Sheets) Get(name string) (string, error) {
	p.mu.Lock()
	if x, ok := p.kept[name]; ok && time.Since(x.read) < time.Minute {
		p.mu.Unlock()
		return x.text, nil
	}
	p.mu.Unlock()
	text, err := p.fetch(name)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) >= p.most {
		return text, nil
	}
	if x, ok := p.kept[name]; ok && time.Since(x.read) < time.Minute {
		return x.text, nil
	}
	p.kept[name] = &sheet{text: text, read: time.Now()}
	return text, nil
}

func (p *Sheets) Changed(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.kept, name)
}

// First keeps the first sheet alone: there is none.
func (p *Sheets) First(name, text string, tell func(string)) {
	p.mu.Lock()
	_, ok := p.kept[name]
	p.mu.Unlock()
	if ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) == 0 {
		p.kept[name] = &sheet{text: text, read: time.Now()}
		tell(text)
	}
}
