package uploadparts

import (
	"context"
	"errors"
	"io"
	"sync"
)

type Putter interface {
	PutPart(ctx context.Context, n int, r io.Reader) error
}

type part struct {
	n        int
	sec      *io.SectionReader
	attempts int
	bytes    int64
	err      error
}

func (p *part) upload(ctx context.Context, dst Putter, max int) {
	for p.attempts < max && ctx.Err() == nil {
		p.attempts++
		if _, p.err = p.sec.Seek(0, io.SeekStart); p.err != nil {
			return
		}
		if p.err = dst.PutPart(ctx, p.n, p.sec); p.err == nil {
			p.bytes += p.sec.Size()
			return
		}
	}
}

type Uploader struct {
	dst      Putter
	partSize int64
	retries  int
}

func NewUploader(dst Putter, partSize int64) *Uploader {
	return &Uploader{dst: dst, partSize: partSize, retries: 3}
}

func (u *Uploader) Upload(ctx context.Context, src io.ReaderAt, size int64) (total int64, err error) {
	var (
		wg    sync.WaitGroup
		parts []*part
	)
	for off := int64(0); off < size; off += u.partSize {
		p := &part{n: len(parts) + 1, sec: io.NewSectionReader(src, off, min(u.partSize, size-off))}
		parts = append(parts, p)
		wg.Go(func() { p.upload(ctx, u.dst, u.retries) })
	}
	wg.Wait()
	for _, p := range parts {
		total += p.bytes
		err = errors.Join(err, p.err)
	}
	return total, err
}
