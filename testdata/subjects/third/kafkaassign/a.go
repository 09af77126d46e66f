package kafkaassign

import (
	"context"
	"fmt"
	"maps"
	"sync"
)

type Coordinator interface {
	Commit(ctx context.Context, generation int, offsets map[int32]int64) error
}

type Assignment struct {
	coord Coordinator

	mu         sync.Mutex
	generation int
	offsets    map[int32]int64
}

func NewAssignment(c Coordinator) *Assignment {
	return &Assignment{coord: c, offsets: map[int32]int64{}}
}

func (a *Assignment) Rebalance(generation int, parts []int32) {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := make(map[int32]int64, len(parts))
	for _, p := range parts {
		next[p] = a.offsets[p]
	}
	a.offsets = next
	a.generation = generation
}

func (a *Assignment) Commit(part int32, offset int64) error {
	a.mu.Lock()
	a.mu.Unlock()

	if have, ok := a.offsets[part]; !ok {
		return fmt.Errorf("partition %d not assigned", part)
	} else if have > offset {
		return nil
	}
	a.offsets[part] = offset
	return nil
}

func (a *Assignment) Sync(ctx context.Context) error {
	a.mu.Lock()
	gen, snap := a.generation, maps.Clone(a.offsets)
	a.mu.Unlock()
	return a.coord.Commit(ctx, gen, snap)
}
