package broken

import (
	"context"
	"sync"
)

// Session has a context that is replaced when it begins anew.
type Session struct {
	mu     sync.Mutex
	ctx    context.Context
	cancel func()
	active bool
	ended  bool
	began  int
}

// A view is handed out by value.
type view struct{ s *Session }

func (v view) Update() error {
	s := v.s
	s.mu.Lock()
	active := s.active
	s.mu.Unlock()
	if !active {
		return nil
	}
	return s.ctx.Err() // want `s.ctx is read here after s.mu was released, which all functions hold that write it`
}

func (v view) Delete() error {
	s := v.s
	s.mu.Lock()
	active, ctx := s.active, s.ctx
	s.mu.Unlock()
	if !active {
		return nil
	}
	return ctx.Err()
}

// Handle takes the lock in another arm.
func (v view) Handle(kind int) error {
	s := v.s
	switch kind {
	case 1:
		s.mu.Lock()
		s.began++
		s.mu.Unlock()
	case 2:
		return s.ctx.Err()
	}
	return nil
}

func (v view) Patch() error {
	s := v.s
	s.mu.Lock()
	s.began++
	s.mu.Unlock()
	return s.ctx.Err() // want `s.ctx is read here after s.mu was released, which all functions hold that write it`
}

// End keeps Restart away before it reads.
func (s *Session) End() error {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	return s.ctx.Err()
}

func (s *Session) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.cancel()
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.active = true
}

func (s *Session) Serve() {
	for range 3 {
		go func() {
			_ = view{s}.Update()
			_ = view{s}.Delete()
			_ = view{s}.Patch()
			_ = view{s}.Handle(1)
		}()
		go s.Restart()
	}
}
