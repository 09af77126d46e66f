package broken

import "net"

// talker is one who is listened and spoken to.
type talker struct {
	conn  net.Conn
	words chan []byte
	over  chan struct{}
}

// hear ends when the connection does, and ends it.
func (t *talker) hear(use func([]byte)) {
	defer func() {
		close(t.over)
		t.conn.Close()
	}()
	for {
		b := make([]byte, 100)
		n, err := t.conn.Read(b)
		if err != nil {
			return
		}
		use(b[:n])
	}
}

// speak meets an error when the connection is at its end.
func (t *talker) speak() {
	for {
		select {
		case w := <-t.words:
			if _, err := t.conn.Write(w); err != nil {
				close(t.over) // want `t.over is closed here, and by \(\*talker\).hear of another goroutine whenever that ends`
				return
			}
		case <-t.over:
			return
		}
	}
}

func Talk(conn net.Conn, use func([]byte)) chan<- []byte {
	t := &talker{conn: conn, words: make(chan []byte), over: make(chan struct{})}
	go t.hear(use)
	go t.speak()
	return t.words
}

// Duct has two goroutines which both end by closing the same channel.
type Duct struct {
	conn net.Conn
	in   chan []byte
	done chan struct{}
}

func (d *Duct) Open() {
	go d.fill()
	go d.drain()
}

func (d *Duct) fill() {
	defer close(d.done)
	for {
		if _, err := d.conn.Write([]byte("more")); err != nil {
			return
		}
	}
}

func (d *Duct) drain() {
	defer close(d.done) // want `d.done is closed here, and by \(\*Duct\).fill of another goroutine whenever that ends`
	b := make([]byte, 10)
	for {
		if _, err := d.conn.Read(b); err != nil {
			return
		}
	}
}
