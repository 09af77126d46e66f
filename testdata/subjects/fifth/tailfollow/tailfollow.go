// Package tailfollow follows a growing file line by line.
package tailfollow

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"strings"
	"time"
)

type Line struct {
	Text string
	Pos  int64
}

type Options struct {
	Poll     time.Duration
	FromEnd  bool
	StopGone bool // stop when the file has been deleted
}

// Follower reads a file until Stop, or until the file goes away.
type Follower struct {
	name    string
	opts    Options
	file    *os.File
	lines   chan Line
	stopc   chan struct{}
	stopped bool
}

func Follow(name string, opts Options) (*Follower, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	var pos int64
	if opts.FromEnd {
		if pos, err = f.Seek(0, io.SeekEnd); err != nil {
			f.Close()
			return nil, err
		}
	}
	if opts.Poll <= 0 {
		opts.Poll = 250 * time.Millisecond
	}
	t := &Follower{name: name, opts: opts, file: f, lines: make(chan Line, 64), stopc: make(chan struct{})}
	if opts.StopGone {
		go t.watchName()
	}
	go t.read(pos)
	return t, nil
}

// Lines is closed after the follower has stopped.
func (t *Follower) Lines() <-chan Line { return t.lines }

// Stop ends the follower; further calls do nothing.
func (t *Follower) Stop() {
	if t.stopped {
		return
	}
	t.stopped = true
	close(t.stopc)
}

// watchName stops the follower once its name has gone.
func (t *Follower) watchName() {
	tick := time.NewTicker(4 * t.opts.Poll)
	defer tick.Stop()
	for {
		select {
		case <-t.stopc:
			return
		case <-tick.C:
		}
		_, err := os.Stat(t.name)
		switch {
		case err == nil:
		case errors.Is(err, fs.ErrNotExist):
			log.Printf("tailfollow: %s has gone", t.name)
			t.Stop()
			return
		default:
			log.Printf("tailfollow: stat: %v", err)
		}
	}
}

func (t *Follower) read(pos int64) {
	defer close(t.lines)
	defer t.file.Close()
	r := bufio.NewReader(t.file)
	var part strings.Builder
	for {
		s, err := r.ReadString('\n')
		part.WriteString(s)
		if err == nil {
			text := part.String()
			part.Reset()
			select {
			case t.lines <- Line{Text: strings.TrimRight(text, "\r\n"), Pos: pos}:
			case <-t.stopc:
				return
			}
			pos += int64(len(text))
			continue
		}
		if !errors.Is(err, io.EOF) {
			log.Printf("tailfollow: read: %v", err)
			return
		}
		select {
		case <-t.stopc:
			return
		case <-time.After(t.opts.Poll):
		}
	}
}
