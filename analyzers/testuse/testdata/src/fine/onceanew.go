package fine

import (
	"io"
	"sync"
)

// dial has a function that was made when it was.
type dial struct {
	raw   io.Closer
	gone  chan struct{}
	close func() error
}

func NewDial(raw io.Closer) *dial {
	d := &dial{raw: raw, gone: make(chan struct{})}
	d.close = sync.OnceValue(func() error {
		close(d.gone)
		return d.raw.Close()
	})
	return d
}

func (d *dial) Close() error { return d.close() }

// Pipe ends what it has made, from either side.
func Pipe(a, b io.ReadWriter) {
	end := make(chan struct{})
	var once sync.Once
	go func() {
		io.Copy(a, b)
		once.Do(func() { close(end) })
	}()
	go func() {
		io.Copy(b, a)
		once.Do(func() { close(end) })
	}()
	<-end
}

// tempFiles ends its parts on whichever way it leaves Drain.
type tempFiles struct {
	mu     sync.Mutex
	ended  bool
	out    io.WriteCloser
	chunks chan []byte
}

func (s *tempFiles) Drain() error {
	end := sync.OnceFunc(func() { s.out.Close() })
	defer end()
	for c := range s.chunks {
		if _, err := s.out.Write(c); err != nil {
			return err
		}
	}
	end()
	return nil
}

// Close asks first.
func (s *tempFiles) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	sync.OnceFunc(func() { close(s.chunks) })()
}
