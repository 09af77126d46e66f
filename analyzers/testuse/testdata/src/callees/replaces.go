package callees

import (
	"net/http"
	"sync"
	"sync/atomic"
)

// Recorder records requests; the package has one at a time.
type Recorder struct {
	in   chan string
	done chan struct{}
}

func startRecorder() *Recorder {
	r := &Recorder{in: make(chan string), done: make(chan struct{})}
	go r.run()
	return r
}

func (r *Recorder) run() {
	for {
		select {
		case <-r.in:
		case <-r.done:
			return
		}
	}
}

// Stop ends the recorder.
func (r *Recorder) Stop() { close(r.done) }

var (
	recorderMu      sync.RWMutex
	currentRecorder *Recorder
)

// CurrentRecorder makes the recorder at first use.
func CurrentRecorder() *Recorder {
	recorderMu.RLock()
	r := currentRecorder // want `two goroutines can both pass the test of currentRecorder and both set it: recorderMu is held for reading first`
	recorderMu.RUnlock()
	if r != nil {
		return r
	}
	r = startRecorder()
	SetRecorder(r)
	return r
}

// SetRecorder puts a recorder in the place of the one there is.
func SetRecorder(r *Recorder) {
	recorderMu.Lock()
	defer recorderMu.Unlock()
	if currentRecorder != nil {
		currentRecorder.Stop()
	}
	currentRecorder = r
}

// Sink is what is recorded to.
type Sink interface {
	Begin()
	End()
}

var theSink atomic.Pointer[Sink]

// TheSink is the sink in use, or nil.
func TheSink() Sink {
	p := theSink.Load()
	if p == nil {
		return nil
	}
	return *p
}

// Use puts the sink in the place of the one in use.
func Use(sink Sink) {
	if old := theSink.Swap(&sink); old != nil && *old != nil {
		(*old).End()
	}
}

// Start begins with the first sink; others are too late.
func Start(sink Sink) {
	if TheSink() != nil { // want `two goroutines can both pass the test of theSink \(in TheSink\) and both set it: two atomic operations are not one`
		return
	}
	Use(sink)
	sink.Begin()
}

// Feeds keeps the feed that is open.
type Feeds struct {
	mu   sync.Mutex
	open *Recorder
}

// Open is the feed that is open, or nil.
func (f *Feeds) Open() *Recorder {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open
}

func (f *Feeds) swap(r *Recorder) {
	f.mu.Lock()
	old := f.open
	f.open = r
	f.mu.Unlock()
	if old != nil {
		old.Stop()
	}
}

// ServeHTTP opens the feed at the first request.
func (f *Feeds) ServeHTTP(http.ResponseWriter, *http.Request) {
	if f.Open() == nil { // want `two goroutines can both pass the test of f.open \(in f.Open\) and both set it: f.mu is released in between`
		f.swap(startRecorder())
	}
}

var feed atomic.Pointer[Recorder]

func currentFeed() *Recorder { return feed.Load() }

func setFeed(r *Recorder) {
	old := feed.Swap(r)
	if old != nil {
		old.Stop()
	}
}

// Feed makes the feed at first use.
func Feed() *Recorder {
	if r := currentFeed(); r != nil { // want `two goroutines can both pass the test of feed \(in currentFeed\) and both set it: two atomic operations are not one`
		return r
	}
	r := startRecorder()
	setFeed(r)
	return r
}

// What follows is right.

var (
	quietMu  sync.RWMutex
	quiet    *Recorder
	exclusve sync.Mutex
)

// setQuiet keeps the first one.
func setQuiet(r *Recorder) *Recorder {
	quietMu.Lock()
	defer quietMu.Unlock()
	if quiet != nil {
		r.Stop()
		return quiet
	}
	quiet = r
	return r
}

// Quiet makes the recorder at first use; who comes second takes the other's.
func Quiet() *Recorder {
	quietMu.RLock()
	r := quiet
	quietMu.RUnlock()
	if r != nil {
		return r
	}
	return setQuiet(startRecorder())
}

var loud atomic.Pointer[Recorder]

// takeLoud tells its caller whether there was one.
func takeLoud(r *Recorder) bool {
	old := loud.Swap(r)
	if old != nil {
		old.Stop()
		return false
	}
	return true
}

// Loud starts at the first call.
func Loud() {
	if loud.Load() != nil {
		return
	}
	takeLoud(startRecorder())
}

var lone *Recorder

func getLone() *Recorder {
	quietMu.RLock()
	defer quietMu.RUnlock()
	return lone
}

func setLone(r *Recorder) {
	quietMu.Lock()
	defer quietMu.Unlock()
	if lone != nil {
		lone.Stop()
	}
	lone = r
}

// Lone makes one at a time.
func Lone() *Recorder {
	exclusve.Lock()
	defer exclusve.Unlock()
	if r := getLone(); r != nil {
		return r
	}
	r := startRecorder()
	setLone(r)
	return r
}
