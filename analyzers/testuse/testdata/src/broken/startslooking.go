package broken

import (
	"sync"
	"sync/atomic"
)

// Tailer has a goroutine for each reader, which looks too late, or at something else.
type Tailer struct {
	closed atomic.Bool
	quit   chan struct{}
	other  chan struct{}
	lines  chan string
	group  sync.WaitGroup
	source *[]string
}

// UsesFirst looks when it has used the source.
func (f *Tailer) UsesFirst() bool {
	if f.closed.Load() { // want `between this look at f.closed and the Add, another goroutine can end it and wait for f.group`
		return false
	}
	f.group.Add(1)
	go func() {
		defer f.group.Done()
		for {
			*f.source = append(*f.source, <-f.lines)
			select {
			case <-f.quit:
				return
			default:
			}
		}
	}()
	return true
}

// EitherOne may take a line though the feed is closed: select draws among what is ready.
func (f *Tailer) EitherOne() bool {
	if f.closed.Load() { // want `between this look at f.closed and the Add, another goroutine can end it and wait for f.group`
		return false
	}
	f.group.Add(1)
	go func() {
		defer f.group.Done()
		for {
			select {
			case <-f.quit:
				return
			case line := <-f.lines:
				*f.source = append(*f.source, line)
			}
		}
	}()
	return true
}

// AnotherSignal looks at a channel that Close does not close.
func (f *Tailer) AnotherSignal() bool {
	if f.closed.Load() { // want `between this look at f.closed and the Add, another goroutine can end it and wait for f.group`
		return false
	}
	f.group.Add(1)
	go func() {
		defer f.group.Done()
		select {
		case <-f.other:
			return
		default:
		}
		*f.source = nil
	}()
	return true
}

// GoesOn uses the source itself.
func (f *Tailer) GoesOn() bool {
	if f.closed.Load() { // want `between this look at f.closed and the Add, another goroutine can end it and wait for f.group`
		return false
	}
	f.group.Add(1)
	go func() {
		defer f.group.Done()
		select {
		case <-f.quit:
			return
		default:
		}
		*f.source = nil
	}()
	*f.source = append(*f.source, "opened")
	return true
}

// EndsInTheEnd does more when the loop is left.
func (f *Tailer) EndsInTheEnd() bool {
	if f.closed.Load() { // want `between this look at f.closed and the Add, another goroutine can end it and wait for f.group`
		return false
	}
	f.group.Add(1)
	go func() {
		defer f.group.Done()
	reading:
		for {
			select {
			case <-f.quit:
				break reading
			default:
			}
			println(<-f.lines)
		}
		*f.source = append(*f.source, "end")
	}()
	return true
}

func (f *Tailer) Close() {
	if f.closed.Swap(true) {
		return
	}
	close(f.quit)
	f.group.Wait()
	f.source = nil
}
