package fine

// Standpipe has nobody else who waits for it.
type Standpipe struct {
	closed  bool
	closing chan struct{}
}

func NewStandpipe() *Standpipe { return &Standpipe{closing: make(chan struct{})} }

func (s *Standpipe) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.closing)
	return nil
}

// Spillgate says that it is closed by one goroutine.
type Spillgate struct {
	closed  bool
	closing chan struct{}
}

func NewSpillgate() *Spillgate { return &Spillgate{closing: make(chan struct{})} }

func (s *Spillgate) Flow(in <-chan int) {
	go func() {
		for {
			select {
			case x := <-in:
				println(x)
			case <-s.closing:
				return
			}
		}
	}()
}

// Close ends the flow. Only one goroutine may call it.
func (s *Spillgate) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.closing)
	return nil
}
