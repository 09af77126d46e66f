package broken

// Faucet runs only where it has a pipe.
type Faucet interface {
	Run(drops chan int)
	Shut() <-chan struct{}
}

type faucet struct {
	pipe chan int
	shut chan struct{}
}

// NewFaucet returns one.
func NewFaucet() Faucet { return &faucet{shut: make(chan struct{})} }

func (f *faucet) Run(drops chan int) {
	f.pipe = drops
	go func() {
		for {
			select {
			case <-f.shut:
				return
			case <-f.pipe:
			}
		}
	}()
}

// Shut asks whether there is anything to shut, and then whether it is.
func (f *faucet) Shut() <-chan struct{} {
	done := make(chan struct{})
	if f.pipe == nil {
		close(done)
		return done
	}
	select {
	case <-f.shut: // want `two goroutines can both find f.shut open and close it twice`
		close(done)
		return done
	default:
	}
	close(f.shut)
	close(done)
	return done
}
