package half

import (
	"bytes"
	"io"
	"sync"
	"time"
)

// Placard is read by a method that does only that.
type Placard struct {
	mu    sync.Mutex
	text  string
	until time.Time
	seen  int
}

func (p *Placard) Text() string { return p.text } // want `p.text is read here without p.mu, which all functions hold that write it, as \(\*Placard\).Write does`

func (p *Placard) Until() time.Time {
	return p.until // want `p.until is read here without p.mu`
}

func (p *Placard) Seen() int { return p.seen } // of one word

func (p *Placard) Write(text string) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen++
	if time.Now().Before(p.until) {
		return p.text, false
	}
	p.text, p.until = text, time.Now().Add(time.Minute)
	return p.text, true
}

// Plaque is engraved once, before anybody reads it.
type Plaque struct {
	mu   sync.Mutex
	text string
}

func (p *Plaque) Text() string { return p.text }

func (p *Plaque) Init(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text == "" {
		p.text = text
	}
}

// Pipe looks at its buffer under the lock of something else first.
type Pipe struct {
	stateMu sync.Mutex
	closed  bool
	bufMu   sync.Mutex
	buf     *bytes.Buffer
}

func (p *Pipe) Read(b []byte) (int, error) {
	p.stateMu.Lock()
	if p.closed && (p.buf == nil || p.buf.Len() == 0) { // want `p.buf is tested here without p.bufMu, which all functions hold that write it, as \(\*Pipe\).Fill does`
		p.stateMu.Unlock()
		return 0, io.EOF
	}
	p.stateMu.Unlock()
	p.bufMu.Lock()
	defer p.bufMu.Unlock()
	if p.buf == nil {
		return 0, nil
	}
	return p.buf.Read(b)
}

func (p *Pipe) Fill(b []byte) {
	p.bufMu.Lock()
	defer p.bufMu.Unlock()
	if p.buf == nil {
		p.buf = new(bytes.Buffer)
	}
	p.buf.Write(b)
}

func (p *Pipe) Close() {
	p.stateMu.Lock()
	p.closed = true
	p.stateMu.Unlock()
}
