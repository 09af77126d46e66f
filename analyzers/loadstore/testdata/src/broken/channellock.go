package broken

// A token that is taken out of the channel is the lock as well.
type TicketDesk struct {
	token  chan bool
	seats  []string
	serial int
}

func NewTicketDesk(n int) *TicketDesk {
	d := &TicketDesk{token: make(chan bool, 1), seats: make([]string, n)}
	d.token <- true
	return d
}

func (d *TicketDesk) Sell(ask func(int) bool, name string) int {
	<-d.token
	at := d.serial // want `two goroutines can both read d.serial before either stores it, and one update is lost: d.token is released in between`
	d.token <- true
	if !ask(at) {
		return -1
	}
	<-d.token
	defer func() { d.token <- true }()
	d.seats[at] = name
	d.serial = at + 1
	return at
}

func (d *TicketDesk) Reset() {
	<-d.token
	defer func() { d.token <- true }()
	clear(d.seats)
	d.serial = 0
}
