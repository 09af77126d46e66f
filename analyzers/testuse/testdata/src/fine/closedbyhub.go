package fine

import "net"

// Visitor2 is only sent what the loop sends, and what its own reader sends before it leaves.
type Visitor2 struct {
	parlour *Parlour2
	conn    *net.TCPConn
	words   chan []byte
}

type Parlour2 struct {
	visitors map[*Visitor2]bool
	enter    chan *Visitor2
	leave    chan *Visitor2
	announce chan []byte
	direct   chan directed2
}

type directed2 struct {
	to    *Visitor2
	words []byte
}

func NewParlour2() *Parlour2 {
	l := &Parlour2{visitors: map[*Visitor2]bool{}, enter: make(chan *Visitor2), leave: make(chan *Visitor2), announce: make(chan []byte), direct: make(chan directed2)}
	go l.host()
	return l
}

func (l *Parlour2) host() {
	for {
		select {
		case g := <-l.enter:
			l.visitors[g] = true
		case g := <-l.leave:
			if l.visitors[g] {
				delete(l.visitors, g)
				close(g.words)
			}
		case words := <-l.announce:
			for g := range l.visitors {
				g.tell(words)
			}
		case d := <-l.direct:
			if l.visitors[d.to] {
				d.to.tell(d.words)
			}
		}
	}
}

func (g *Visitor2) tell(words []byte) {
	g.words <- words
}

func (l *Parlour2) Welcome(conn *net.TCPConn) *Visitor2 {
	g := &Visitor2{parlour: l, conn: conn, words: make(chan []byte, 8)}
	l.enter <- g
	go g.listen()
	go g.talk()
	return g
}

func (g *Visitor2) listen() {
	defer func() { g.parlour.leave <- g }()
	buf := make([]byte, 100)
	for {
		n, err := g.conn.Read(buf)
		if err != nil {
			return
		}
		if n == 0 {
			g.words <- []byte("speak up")
			continue
		}
		g.parlour.announce <- append([]byte(nil), buf[:n]...)
	}
}

func (g *Visitor2) talk() {
	for words := range g.words {
		if _, err := g.conn.Write(words); err != nil {
			return
		}
	}
}

// Whisper tells one visitor alone, by way of the loop.
func (g *Visitor2) Whisper(words []byte) {
	g.parlour.direct <- directed2{g, words}
}
