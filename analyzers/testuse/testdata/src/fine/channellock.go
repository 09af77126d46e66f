package fine

import "context"

// What is tested again under the channel lock, or done in one hold of it.
type PoolOfLegs struct {
	sem  chan struct{}
	legs map[string]*leg
	wake chan struct{}
	jobs []string
	n    int
}

type leg struct{ name string }

func dialLeg(name string) *leg { return &leg{name} }

func NewPoolOfLegs() *PoolOfLegs {
	return &PoolOfLegs{sem: make(chan struct{}, 1), wake: make(chan struct{}, 1), legs: map[string]*leg{}}
}

func (p *PoolOfLegs) lockWith(ctx context.Context) error {
	select {
	case p.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *PoolOfLegs) unlock() { <-p.sem }

func (p *PoolOfLegs) Again(ctx context.Context, name string) (*leg, error) {
	if err := p.lockWith(ctx); err != nil {
		return nil, err
	}
	l, ok := p.legs[name]
	p.unlock()
	if ok {
		return l, nil
	}
	l = dialLeg(name)
	if err := p.lockWith(ctx); err != nil {
		return nil, err
	}
	defer p.unlock()
	if old, ok := p.legs[name]; ok {
		return old, nil
	}
	p.legs[name] = l
	return l, nil
}

func (p *PoolOfLegs) Once(ctx context.Context, name string) (*leg, error) {
	if err := p.lockWith(ctx); err != nil {
		return nil, err
	}
	defer p.unlock()
	if l, ok := p.legs[name]; ok {
		return l, nil
	}
	l := dialLeg(name)
	p.legs[name] = l
	return l, nil
}

func (p *PoolOfLegs) Count(ctx context.Context) error {
	if err := p.lockWith(ctx); err != nil {
		return err
	}
	n := p.n
	p.n = n + 1
	p.unlock()
	return nil
}

// A channel by which one goroutine wakes another is no lock.
func (p *PoolOfLegs) Push(job string) {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *PoolOfLegs) Loop(ctx context.Context) {
	for {
		select {
		case <-p.wake:
			p.jobs = p.jobs[:0]
		case <-ctx.Done():
			return
		}
	}
}
