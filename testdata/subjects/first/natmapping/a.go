package natmapping

import (
	"context"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

type mapping struct {
	inside netip.AddrPort
	used   atomic.Int64
}

type Table struct {
	byOutside sync.Map // uint16 -> *mapping
	timeout   time.Duration
}

func NewTable(ctx context.Context, timeout time.Duration) *Table {
	t := &Table{timeout: timeout}
	go func() {
		for ctx.Err() == nil {
			time.Sleep(timeout / 3)
			t.sweep(time.Now())
		}
	}()
	return t
}

func (t *Table) Bind(port uint16, inside netip.AddrPort) bool {
	m := &mapping{inside: inside}
	m.used.Store(time.Now().UnixNano())
	_, taken := t.byOutside.LoadOrStore(port, m)
	return !taken
}

// Rebind replaces whatever is bound to port.
func (t *Table) Rebind(port uint16, inside netip.AddrPort) {
	m := &mapping{inside: inside}
	m.used.Store(time.Now().UnixNano())
	t.byOutside.Store(port, m)
}

func (t *Table) Translate(port uint16) (netip.AddrPort, bool) {
	v, ok := t.byOutside.Load(port)
	if !ok {
		return netip.AddrPort{}, false
	}
	return v.(*mapping).inside, true
}

func (t *Table) sweep(now time.Time) (n int) {
	t.byOutside.Range(func(k, v any) bool {
		m := v.(*mapping)
		if now.UnixNano()-m.used.Load() > int64(t.timeout) {
			if t.byOutside.CompareAndDelete(k, m) {
				n++
			}
		}
		return true
	})
	return n
}
