package metricbuf

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"
)

type Point struct {
	Name string    `json:"n"`
	Val  float64   `json:"v"`
	At   time.Time `json:"t"`
}

type Buffer struct {
	mu     sync.Mutex
	points []Point
	wmu    sync.Mutex
	enc    *json.Encoder
}

func NewBuffer(w io.Writer) *Buffer { return &Buffer{enc: json.NewEncoder(w)} }

func (b *Buffer) Gauge(name string, v float64) {
	b.mu.Lock()
	b.points = append(b.points, Point{Name: name, Val: v, At: time.Now()})
	b.mu.Unlock()
}

func (b *Buffer) Flush() error {
	b.mu.Lock()
	pts := b.points
	b.points = nil
	b.mu.Unlock()
	b.wmu.Lock()
	defer b.wmu.Unlock()
	for i := range pts {
		pts[i].At = pts[i].At.UTC().Truncate(time.Second)
		if err := b.enc.Encode(pts[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *Buffer) Loop(ctx context.Context, every time.Duration) error {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if err := b.Flush(); err != nil {
				return err
			}
		case <-ctx.Done():
			return b.Flush()
		}
	}
}
