package rowstream

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
)

type Rows struct {
	rows   chan []string
	errc   chan error
	cancel context.CancelFunc
}

func Stream(ctx context.Context, r io.Reader) *Rows {
	ctx, cancel := context.WithCancel(ctx)
	rs := &Rows{
		rows:   make(chan []string, 16),
		errc:   make(chan error, 1),
		cancel: cancel,
	}
	go rs.produce(ctx, csv.NewReader(r))
	return rs
}

func (rs *Rows) produce(ctx context.Context, cr *csv.Reader) {
	defer close(rs.rows)
	for {
		rec, err := cr.Read()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				rs.errc <- err
			}
			return
		}
		select {
		case <-ctx.Done():
			rs.errc <- ctx.Err()
			return
		case rs.rows <- rec:
		}
	}
}

func (rs *Rows) Next() ([]string, error) {
	rec, ok := <-rs.rows
	if ok {
		return rec, nil
	}
	select {
	case err := <-rs.errc:
		return nil, err
	default:
		return nil, io.EOF
	}
}

func (rs *Rows) Close() { rs.cancel() }
