package broken

import "net"

// LoungeGuest sits in a lounge.
type LoungeGuest struct {
	lounge *Lounge
	conn   *net.TCPConn
	words  chan []byte
}

// Lounge tells all its guests what one says.
type Lounge struct {
	guests   map[*LoungeGuest]bool
	enter    chan *LoungeGuest
	leave    chan *LoungeGuest
	announce chan []byte
}

func NewLounge() *Lounge {
	l := &Lounge{guests: map[*LoungeGuest]bool{}, enter: make(chan *LoungeGuest), leave: make(chan *LoungeGuest), announce: make(chan []byte)}
	go l.host()
	return l
}

func (l *Lounge) host() {
	for {
		select {
		case g := <-l.enter:
			l.guests[g] = true
		case g := <-l.leave:
			if l.guests[g] {
				delete(l.guests, g)
				close(g.words) // want `g\.words is closed here when the loop drops it, and \(\*LoungeGuest\)\.Whisper of another goroutine sends on it and cannot know: a send on a closed channel panics`
			}
		case words := <-l.announce:
			for g := range l.guests {
				g.words <- words
			}
		}
	}
}

func (l *Lounge) Welcome(conn *net.TCPConn) *LoungeGuest {
	g := &LoungeGuest{lounge: l, conn: conn, words: make(chan []byte, 8)}
	l.enter <- g
	go g.listen()
	go g.talk()
	return g
}

func (g *LoungeGuest) listen() {
	defer func() { g.lounge.leave <- g }()
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
		g.lounge.announce <- append([]byte(nil), buf[:n]...)
	}
}

func (g *LoungeGuest) talk() {
	for words := range g.words {
		if _, err := g.conn.Write(words); err != nil {
			return
		}
	}
}

// Whisper tells one guest alone.
func (g *LoungeGuest) Whisper(words []byte) {
	g.words <- words
}

// Reader of a feed that drops those which are slow.
type FeedReader struct {
	conn  *net.TCPConn
	items chan string
}

type ItemFeed struct {
	readers map[*FeedReader]bool
	joins   chan *FeedReader
	items   chan string
}

func NewItemFeed() *ItemFeed {
	f := &ItemFeed{readers: map[*FeedReader]bool{}, joins: make(chan *FeedReader), items: make(chan string)}
	go f.feed()
	return f
}

func (f *ItemFeed) feed() {
	for {
		select {
		case r := <-f.joins:
			f.readers[r] = true
		case item := <-f.items:
			for r := range f.readers {
				select {
				case r.items <- item:
				default:
					close(r.items) // want `r\.items is closed here when the loop drops it, and \(\*FeedReader\)\.hear of another goroutine sends on it`
					delete(f.readers, r)
				}
			}
		}
	}
}

func (f *ItemFeed) Join(conn *net.TCPConn) {
	r := &FeedReader{conn: conn, items: make(chan string, 8)}
	f.joins <- r
	go r.hear()
	go r.show()
}

func (r *FeedReader) hear() {
	buf := make([]byte, 100)
	for {
		if _, err := r.conn.Read(buf); err != nil {
			return
		}
		r.items <- "pong"
	}
}

func (r *FeedReader) show() {
	for item := range r.items {
		if _, err := r.conn.Write([]byte(item)); err != nil {
			return
		}
	}
}

// Salon is a Lounge that its owner runs: go salon.Run().
type Salon struct {
	seats map[*SalonSeat]bool
	enter chan *SalonSeat
	leave chan *SalonSeat
}

type SalonSeat struct {
	salon *Salon
	conn  *net.TCPConn
	words chan []byte
}

func (l *Salon) Run() {
	for {
		select {
		case g := <-l.enter:
			l.seats[g] = true
		case g := <-l.leave:
			if l.seats[g] {
				delete(l.seats, g)
				close(g.words) // want `g\.words is closed here when the loop drops it, and \(\*SalonSeat\)\.Whisper of another goroutine sends on it`
			}
		}
	}
}

func (l *Salon) Welcome(conn *net.TCPConn) *SalonSeat {
	g := &SalonSeat{salon: l, conn: conn, words: make(chan []byte, 8)}
	l.enter <- g
	go g.talk()
	return g
}

func (g *SalonSeat) talk() {
	defer func() { g.salon.leave <- g }()
	for words := range g.words {
		if _, err := g.conn.Write(words); err != nil {
			return
		}
	}
}

// Whisper tells one guest alone.
func (g *SalonSeat) Whisper(words []byte) {
	g.words <- words
}
