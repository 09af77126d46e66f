//go:build !atomrace_off

package heal

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// A backlog is what the reader of a stream has not taken yet. Whoever finds violations
// must not wait for good because nobody reads of them: a program that says nothing
// itself would stand still. It is patient once, and from then on what the pipe has no
// room for is kept until it has, or until the program ends.
type backlog struct {
	sync.Mutex
	text    []byte
	lost    int  // writes for which there was no room here either
	json    bool // the last of them was a JSON line
	stalled bool // the reader was waited for in vain
	ended   bool // and at the end of the program, too
}

// stdoutBacklog and stderrBacklog belong to the two streams.
var stdoutBacklog, stderrBacklog backlog

// maxBacklog bounds the memory that a backlog takes.
const maxBacklog = 1 << 20

// streamPatience is how long the reader of a full pipe is waited for.
var streamPatience = 10 * time.Second

// backlogOf is the one of stream f.
func backlogOf(f *os.File) *backlog {
	if f == stdout {
		return &stdoutBacklog
	}
	return &stderrBacklog
}

// writeStream writes b, whole lines, to standard output or standard error, behind what
// waits there.
func writeStream(f *os.File, b []byte) {
	if f == nil || len(b) == 0 {
		return
	}
	w := backlogOf(f)
	w.Lock()
	defer w.Unlock()
	if w.stalled && len(w.text)+len(b) > maxBacklog {
		w.lost++
		w.json = b[0] == '{'
		b = nil
	}
	w.text = append(w.text, b...)
	patience := streamPatience
	if w.stalled {
		patience = 0
	}
	w.write(f, patience)
}

// flushStreams writes what still waits at the end of the program, for which the reader
// gets time once more; but once.
func flushStreams() {
	for _, f := range []*os.File{stdout, stderr} {
		w := backlogOf(f)
		w.Lock()
		if len(w.text) > 0 && !w.ended {
			w.write(f, streamPatience)
			w.ended = w.stalled
		}
		w.Unlock()
	}
}

// write writes what it can of w, which the caller has locked.
func (w *backlog) write(f *os.File, patience time.Duration) {
	w.text = w.text[writeSome(f, w.text, patience):]
	w.stalled = len(w.text) > 0
	if w.stalled {
		return
	}
	w.text = nil
	if w.lost > 0 {
		// Not by the settings: they may be what is being told of.
		s := say(&config{json: w.json}, fmt.Sprintf("nobody read on here for a while; reports and notes that are lost: %d", w.lost))
		w.lost = 0
		w.text = append(w.text, s...)
		w.write(f, patience)
	}
}
