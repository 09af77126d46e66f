package logtail

import (
	"bufio"
	"io"
	"os"
	"time"
)

type Tailer struct {
	f     *os.File
	lines chan string
	quit  chan struct{}
	poll  time.Duration
}

func Follow(path string, poll time.Duration) (*Tailer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		f.Close()
		return nil, err
	}
	t := &Tailer{f: f, lines: make(chan string), quit: make(chan struct{}), poll: poll}
	go t.run()
	return t, nil
}

func (t *Tailer) run() {
	defer close(t.lines)
	defer t.f.Close()
	rd := bufio.NewReader(t.f)
	for {
		line, err := rd.ReadString('\n')
		if err == nil {
			select {
			case t.lines <- line:
				continue
			case <-t.quit:
				return
			}
		}
		select {
		case <-t.quit:
			return
		case <-time.After(t.poll):
		}
	}
}

func (t *Tailer) Lines() <-chan string { return t.lines }

func (t *Tailer) Stop() {
	select {
	case <-t.quit:
	default:
		close(t.quit)
	}
}
