package held

import "context"

type byChannel struct {
	sem   chan struct{}
	token chan bool
	wake  chan struct{}
	many  chan struct{}
}

func newByChannel() *byChannel {
	c := &byChannel{sem: make(chan struct{}, 1), token: make(chan bool, 1), wake: make(chan struct{}, 1), many: make(chan struct{}, 4)}
	c.token <- true
	return c
}

func (c *byChannel) acquire(ctx context.Context) error {
	select {
	case c.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *byChannel) try() bool {
	select {
	case c.sem <- struct{}{}:
		return true
	default:
	}
	return false
}

func (c *byChannel) release() { <-c.sem }

func (c *byChannel) Use(ctx context.Context) {
	c.sem <- struct{}{}
	probe() // want `<c.sem>`
	<-c.sem
	probe() // want `<>`
	if err := c.acquire(ctx); err != nil {
		probe() // want `<>`
		return
	}
	probe() // want `<c.sem>`
	c.release()
	probe() // want `<>`
}

func (c *byChannel) Try() {
	if !c.try() {
		probe() // want `<>`
		return
	}
	defer c.release()
	probe() // want `<c.sem>`
}

func (c *byChannel) Select(ctx context.Context) {
	select {
	case c.sem <- struct{}{}:
		probe() // want `<c.sem>`
	case <-ctx.Done():
		probe() // want `<>`
		return
	}
	probe() // want `<c.sem>`
	<-c.sem
}

func (c *byChannel) Token() {
	<-c.token
	defer func() { c.token <- true }()
	probe() // want `<c.token>`
}

func (c *byChannel) Wake() { c.wake <- struct{}{} }

func (c *byChannel) Waken() {
	for {
		<-c.wake
		probe() // want `<>`
	}
}

func (c *byChannel) Many() {
	c.many <- struct{}{}
	probe() // want `<>`
	<-c.many
}
