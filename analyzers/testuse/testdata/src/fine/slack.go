package fine

const mostPackets = 512

// Feeder is safe for concurrent use.
type Feeder struct {
	packets chan []byte
}

func NewFeeder() *Feeder {
	return &Feeder{packets: make(chan []byte, mostPackets)}
}

// Feed leaves room for those who come at the same time.
func (f *Feeder) Feed(p []byte) {
	if len(f.packets) >= mostPackets-24 {
		return
	}
	f.packets <- p
}

func (f *Feeder) FeedTwice(p []byte) {
	if len(f.packets) < mostPackets-24 {
		f.packets <- p
	}
}

func (f *Feeder) Next() []byte { return <-f.packets }
