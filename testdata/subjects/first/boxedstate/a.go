package boxedstate

import (
	"context"
	"errors"
)

var ErrRejected = errors.New("boxedstate: update rejected")

// Box guards a value with a one-slot channel.
type Box[T any] struct {
	sem   chan struct{}
	value T
	rev   uint64
}

func NewBox[T any](v T) *Box[T] {
	return &Box[T]{sem: make(chan struct{}, 1), value: v}
}

func (b *Box[T]) acquire(ctx context.Context) error {
	select {
	case b.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *Box[T]) release() { <-b.sem }

func (b *Box[T]) Load(ctx context.Context) (v T, rev uint64, err error) {
	if err = b.acquire(ctx); err != nil {
		return v, 0, err
	}
	defer b.release()
	return b.value, b.rev, nil
}

func (b *Box[T]) Update(ctx context.Context, merge func(T) (T, bool)) error {
	if err := b.acquire(ctx); err != nil {
		return err
	}
	cur := b.value
	b.release()

	next, ok := merge(cur)
	if !ok {
		return ErrRejected
	}

	if err := b.acquire(ctx); err != nil {
		return err
	}
	defer b.release()
	b.value = next
	b.rev++
	return nil
}
