package broken

import "context"

type chunkWanted struct{ from, to int }

// A ChunkReader asks its feeder for chunks.
type ChunkReader struct {
	ctx    context.Context
	wanted chan<- chunkWanted
	chunks <-chan []byte
}

// OpenChunks starts a feeder, which ends with the context of the caller.
func OpenChunks(parent context.Context, read func(chunkWanted) []byte) *ChunkReader {
	ctx, cancel := context.WithCancel(parent)
	wanted := make(chan chunkWanted)
	chunks := make(chan []byte, 1)
	go func() {
		defer cancel()
		defer close(wanted)
		for {
			select {
			case <-ctx.Done():
				return
			case w := <-wanted:
				chunks <- read(w)
			}
		}
	}()
	return newChunkReader(ctx, wanted, chunks)
}

func newChunkReader(ctx context.Context, wanted chan<- chunkWanted, chunks <-chan []byte) *ChunkReader {
	return &ChunkReader{ctx: ctx, wanted: wanted, chunks: chunks}
}

func (r *ChunkReader) Chunk(from, to int) ([]byte, error) {
	select {
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	case r.wanted <- chunkWanted{from, to}: // want `r\.wanted can be closed before or during this send, which then panics: the goroutine that receives from it closes it`
	}
	return <-r.chunks, nil
}
