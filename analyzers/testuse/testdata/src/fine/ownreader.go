package fine

import "io"

// pageview reads where it left off, for the one who has made it.
type pageview struct {
	from io.ReaderAt
	at   int64
	kept []byte
}

func (v *pageview) ReadAt(p []byte, off int64) (int, error) {
	if off != v.at {
		v.at = off
		v.kept = v.kept[:0]
	}
	n, err := v.from.ReadAt(p, off)
	v.at += int64(n)
	return n, err
}

// Pageviews reads all of it.
func Pageviews(from io.ReaderAt, size int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(&pageview{from: from}, 0, size))
}
