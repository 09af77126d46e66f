package broken

import (
	"io"
	"net"
	"sync"
)

// A Door lets guests in, each with a goroutine of its own that strikes them off the list.
type Door struct {
	mu     sync.Mutex
	guests map[net.Conn]bool
}

func (d *Door) Open(l net.Listener) error {
	for {
		guest, err := l.Accept()
		if err != nil {
			return err
		}
		go d.attend(guest) // want `guest is entered in d.guests after it was handed over: \(\*Door\).attend can be done with it and remove it before, and the entry then stays`
		d.mu.Lock()
		d.guests[guest] = true
		d.mu.Unlock()
	}
}

func (d *Door) attend(guest net.Conn) {
	defer d.strikeOff(guest)
	io.Copy(io.Discard, guest)
}

func (d *Door) strikeOff(guest net.Conn) {
	d.mu.Lock()
	delete(d.guests, guest)
	d.mu.Unlock()
}

// An Oracle answers questions by their numbers.
type Oracle struct {
	mu      sync.Mutex
	line    line
	asked   uint64
	waiting map[uint64]chan string
}

type line interface {
	Send(number uint64, text string) error
	Receive() (number uint64, text string, err error)
}

func NewOracle(l line) *Oracle {
	o := &Oracle{line: l, waiting: map[uint64]chan string{}}
	go o.listen()
	return o
}

func (o *Oracle) Ask(text string) (string, error) {
	o.mu.Lock()
	o.asked++
	number := o.asked
	o.mu.Unlock()
	if err := o.line.Send(number, text); err != nil { // want `number is entered in o.waiting after it was sent: \(\*Oracle\).listen can look for it before, when the answer is there, and finds nobody who waits`
		return "", err
	}
	answer := make(chan string, 1)
	o.mu.Lock()
	o.waiting[number] = answer
	o.mu.Unlock()
	return <-answer, nil
}

func (o *Oracle) listen() {
	for {
		number, text, err := o.line.Receive()
		if err != nil {
			return
		}
		o.mu.Lock()
		answer := o.waiting[number]
		delete(o.waiting, number)
		o.mu.Unlock()
		if answer != nil {
			answer <- text
		}
	}
}

// A Kitchen cooks what is ordered, and knows what is on the fire.
type Kitchen struct {
	onFire sync.Map
	orders chan dish
	many   chan []dish
}

type dish struct {
	name  string
	hours int
}

func NewKitchen() *Kitchen {
	k := &Kitchen{orders: make(chan dish), many: make(chan []dish)}
	go k.cook()
	return k
}

func (k *Kitchen) Plan(menu []dish) {
	for _, d := range menu {
		if _, busy := k.onFire.Load(d.name); busy {
			continue
		}
		select {
		case k.orders <- d: // want `d.name is entered in k.onFire after it was handed over: \(\*Kitchen\).cook can be done with it and remove it before, and the entry then stays`
			k.onFire.Store(d.name, d.hours)
		default:
		}
	}
}

func (k *Kitchen) cook() {
	var batch []dish
	for {
		single := make([]dish, 1)
		select {
		case single[0] = <-k.orders:
			batch = single
		case batch = <-k.many:
		}
		for _, d := range batch {
			k.onFire.Delete(d.name)
		}
	}
}
