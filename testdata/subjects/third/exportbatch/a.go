package exportbatch

import (
	"context"
	"log"
	"time"
)

type Point struct {
	Name  string
	Value float64
	At    time.Time
}

type Backend interface {
	Write(context.Context, []Point) error
}

type Exporter struct {
	points chan Point
	be     Backend
	max    int
}

func Start(ctx context.Context, be Backend, workers, max int) *Exporter {
	e := &Exporter{points: make(chan Point, 4096), be: be, max: max}
	for i := 0; i < workers; i++ {
		go e.loop(ctx)
	}
	return e
}

func (e *Exporter) Record(name string, v float64) bool {
	select {
	case e.points <- Point{name, v, time.Now()}:
		return true
	default:
		return false
	}
}

func (e *Exporter) collect() []Point {
	var batch []Point
	for len(e.points) > 0 && len(batch) < e.max {
		batch = append(batch, <-e.points)
	}
	return batch
}

func (e *Exporter) loop(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if b := e.collect(); len(b) > 0 {
			if err := e.be.Write(ctx, b); err != nil {
				log.Printf("export: %v", err)
			}
		}
	}
}
