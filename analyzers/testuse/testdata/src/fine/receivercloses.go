package fine

import "context"

type sliceWanted struct{ from, to int }

// A SliceReader asks its feeder for slices; the channel of the questions is left open.
type SliceReader struct {
	ctx    context.Context
	wanted chan<- sliceWanted
	slices <-chan []byte
}

func OpenSlices(ctx context.Context, read func(sliceWanted) []byte) *SliceReader {
	wanted := make(chan sliceWanted)
	slices := make(chan []byte, 1)
	go func() {
		defer close(slices)
		for {
			select {
			case <-ctx.Done():
				return
			case w := <-wanted:
				slices <- read(w)
			}
		}
	}()
	return &SliceReader{ctx: ctx, wanted: wanted, slices: slices}
}

func (r *SliceReader) Slice(from, to int) ([]byte, error) {
	select {
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	case r.wanted <- sliceWanted{from, to}:
	}
	return <-r.slices, nil
}

// A LineReader closes what its feeder receives from itself: the feeder only reads to the end.
type LineReader struct{ wanted chan<- int }

func OpenLines(ctx context.Context, read func(int)) *LineReader {
	wanted := make(chan int)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case w, ok := <-wanted:
				if !ok {
					return
				}
				read(w)
			}
		}
	}()
	return &LineReader{wanted: wanted}
}

func (r *LineReader) Line(n int) { r.wanted <- n }
