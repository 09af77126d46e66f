package sidecarstop

import (
	"context"
	"net/http"
	"sync"
	"time"
)

type Sidecar struct {
	srv  *http.Server
	once sync.Once
	quit chan struct{}
	err  error
}

func New(addr string, h http.Handler) *Sidecar {
	return &Sidecar{
		srv:  &http.Server{Addr: addr, Handler: h},
		quit: make(chan struct{}),
	}
}

func (s *Sidecar) Run(ctx context.Context) error {
	go func() {
		select {
		case <-ctx.Done():
			s.Shutdown()
		case <-s.quit:
		}
	}()
	if err := s.srv.ListenAndServe(); err != http.ErrServerClosed {
		s.Shutdown()
		return err
	}
	return nil
}

func (s *Sidecar) Shutdown() error {
	s.once.Do(func() {
		select {
		case <-s.quit:
		default:
			close(s.quit)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		s.err = s.srv.Shutdown(ctx)
	})
	return s.err
}

func (s *Sidecar) Done() <-chan struct{} { return s.quit }
