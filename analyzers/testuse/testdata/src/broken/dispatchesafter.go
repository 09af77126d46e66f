package broken

import "sync"

// alarms hands out what is due.
type alarms struct{ due chan string }

func (a *alarms) Due() <-chan string { return a.due }

func (a *alarms) stop() { close(a.due) }

// AlarmOffice runs what is due.
type AlarmOffice struct {
	alarms  *alarms
	running sync.WaitGroup
	ran     sync.Map
}

func NewAlarmOffice() *AlarmOffice {
	d := &AlarmOffice{alarms: &alarms{due: make(chan string, 10)}}
	go d.dispatch()
	return d
}

func (d *AlarmOffice) dispatch() {
	for id := range d.alarms.Due() {
		d.running.Add(1)
		go func() {
			defer d.running.Done()
			d.ran.Store(id, true)
		}()
	}
}

// Close waits for those that run, and not for the one that starts them.
func (d *AlarmOffice) Close() error {
	d.running.Wait() // want `\(\*AlarmOffice\).dispatch can start another goroutine after d.running.Wait\(\) and before d.alarms.stop\(\), which ends what it has its work from`
	d.alarms.stop()
	return nil
}
