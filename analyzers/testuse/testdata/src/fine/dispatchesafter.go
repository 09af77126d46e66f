package fine

import "sync"

// alarms hands out what is due.
type alarmClock struct{ due chan string }

func (a *alarmClock) Due() <-chan string { return a.due }

func (a *alarmClock) stop() { close(a.due) }

// Waker runs what is due.
type Waker struct {
	alarms  *alarmClock
	loop    sync.WaitGroup
	running sync.WaitGroup
	ran     sync.Map
}

func NewWaker() *Waker {
	d := &Waker{alarms: &alarmClock{due: make(chan string, 10)}}
	d.loop.Add(1)
	go d.dispatch()
	return d
}

func (d *Waker) dispatch() {
	defer d.loop.Done()
	for id := range d.alarms.Due() {
		d.running.Add(1)
		go func() {
			defer d.running.Done()
			d.ran.Store(id, true)
		}()
	}
}

// Close ends the alarms first.
func (d *Waker) Close() error {
	d.alarms.stop()
	d.loop.Wait()
	d.running.Wait()
	return nil
}

// Sleeper closes the channel on which what runs tells of its end: that is no source of work.
type Sleeper struct {
	due     chan string
	told    chan string
	running sync.WaitGroup
}

func (s *Sleeper) Start() {
	for range 3 {
		s.running.Add(1)
		go func() {
			defer s.running.Done()
			for id := range s.due {
				s.told <- id
			}
		}()
	}
}

func (s *Sleeper) Told() <-chan string { return s.told }

func (s *Sleeper) Close() {
	close(s.due)
	s.running.Wait()
	close(s.told)
}
