package seatmap

import (
	"context"
	"errors"
	"fmt"
)

var ErrTaken = errors.New("seat taken")

type Hall struct {
	token chan struct{}
	seats map[string]string
	sold  int
}

func NewHall(rows, perRow int) *Hall {
	h := &Hall{token: make(chan struct{}, 1), seats: make(map[string]string)}
	for r := range rows {
		for n := range perRow {
			h.seats[fmt.Sprintf("%c%d", 'A'+r, n+1)] = ""
		}
	}
	h.token <- struct{}{}
	return h
}

func (h *Hall) lock(ctx context.Context) error {
	select {
	case <-h.token:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *Hall) unlock() { h.token <- struct{}{} }

func (h *Hall) Book(ctx context.Context, who string, seats ...string) error {
	if err := h.lock(ctx); err != nil {
		return err
	}
	defer h.unlock()
	for _, s := range seats {
		holder, ok := h.seats[s]
		if !ok {
			return fmt.Errorf("no seat %s", s)
		}
		if holder != "" {
			return fmt.Errorf("%s: %w", s, ErrTaken)
		}
	}
	for _, s := range seats {
		h.seats[s] = who
	}
	h.sold += len(seats)
	return nil
}

func (h *Hall) Sold(ctx context.Context) (int, error) {
	if err := h.lock(ctx); err != nil {
		return 0, err
	}
	defer h.unlock()
	return h.sold, nil
}
