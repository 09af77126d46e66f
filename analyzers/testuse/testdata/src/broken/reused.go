package broken

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// Parcel keeps the array of what it sends for what comes next.
type Parcel struct {
	mu    sync.Mutex
	buf   []byte
	items []string
	spare []string
	text  bytes.Buffer

	wmu sync.Mutex
	w   io.Writer
}

func (p *Parcel) Put(name string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.buf = fmt.Appendf(p.buf, "%s %d", name, n)
	p.items = append(p.items, name)
	p.text.WriteString(name)
	p.spare = append(p.spare, name)
}

func (p *Parcel) Send() error {
	p.wmu.Lock()
	defer p.wmu.Unlock()
	p.mu.Lock()
	packet := p.buf // want `packet is used after p.mu was released, while the array is kept by p.buf\[:0\]: \(\*Parcel\).Put fills it again meanwhile, and overwrites what is used here`
	p.buf = p.buf[:0]
	p.mu.Unlock()
	if len(packet) == 0 {
		return nil
	}
	_, err := p.w.Write(packet)
	return err
}

func (p *Parcel) Each(visit func(string)) {
	p.mu.Lock()
	items := p.items // want `items is used after p.mu was released, while the array is kept by items\[:0\]`
	p.items = items[:0]
	p.mu.Unlock()
	for _, it := range items {
		visit(it)
	}
}

// Take gives it to callers, who have no lock.
func (p *Parcel) Take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.items // want `out is used after p.mu was released`
	p.items = p.items[:0]
	return out
}

func (p *Parcel) Text() error {
	p.mu.Lock()
	data := p.text.Bytes() // want `data is used after p.mu was released, while the array is kept by p.text.Reset\(\)`
	p.text.Reset()
	p.mu.Unlock()
	_, err := p.w.Write(data)
	return err
}

// Copied copies first.
func (p *Parcel) Copied() error {
	p.mu.Lock()
	data := append([]byte(nil), p.buf...)
	p.buf = p.buf[:0]
	p.mu.Unlock()
	_, err := p.w.Write(data)
	return err
}

// Fresh lets the array go.
func (p *Parcel) Fresh() error {
	p.mu.Lock()
	data := p.buf
	p.buf = nil
	p.mu.Unlock()
	_, err := p.w.Write(data)
	return err
}

// Under writes with the lock held.
func (p *Parcel) Under() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	data := p.buf
	p.buf = p.buf[:0]
	_, err := p.w.Write(data)
	return err
}

// Swap fills the other one meanwhile.
func (p *Parcel) Swap(visit func(string)) {
	p.mu.Lock()
	items := p.items
	p.items = p.spare[:0]
	p.spare = nil
	p.mu.Unlock()
	for _, it := range items {
		visit(it)
	}
}

// Count looks at nothing but the length.
func (p *Parcel) Count() int {
	p.mu.Lock()
	items := p.items
	p.items = p.items[:0]
	p.mu.Unlock()
	return len(items)
}
