package broken

import (
	"context"
	"sync"
)

type voucherKey struct{}

// vouchers come with a context, to whoever works for it.
type vouchers struct {
	mu     sync.Mutex
	drawn  map[string]bool
	values map[string]int
	spent  map[string]int
}

// WithVouchers gives those who get the context something to spend.
func WithVouchers(ctx context.Context, values map[string]int) context.Context {
	return context.WithValue(ctx, voucherKey{}, &vouchers{drawn: map[string]bool{}, spent: map[string]int{}, values: values})
}

// Draw takes the voucher of the name, once, and notes what it was worth.
func Draw(ctx context.Context, name string) (worth int) {
	v, ok := ctx.Value(voucherKey{}).(*vouchers)
	if !ok {
		return 0
	}
	if !v.drawn[name] { // want `two goroutines can both pass the test of v.drawn\[name\] and both set it: no lock is held`
		v.drawn[name] = true
		worth = v.values[name]
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.spent[name] += worth
	return worth
}
