//go:build !atomrace_off && linux

package heal

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func init() {
	scenarios["stderr is stuck"] = func() {
		streamPatience = 50 * time.Millisecond
		defer Exit()
		raceOnce()
	}
}

// fill makes a pipe and writes to it until nothing goes in any more.
func fill(t *testing.T) (r, w *os.File, size int) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	for err == nil {
		var n int
		n, err = w.Write(make([]byte, 4096))
		size += n
	}
	w.SetWriteDeadline(time.Time{})
	return r, w, size
}

// A program that writes nothing itself comes to its end, whoever reads its reports and
// stops.
func TestStuckReader(t *testing.T) {
	r, w, size := fill(t)
	began := time.Now()
	_, err := play(t, "stderr is stuck", "", func(c *exec.Cmd) {
		c.Stderr = w
		time.AfterFunc(30*time.Second, func() { c.Process.Kill() })
	})
	if err != nil || time.Since(began) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	w.Close()
	if text, err := io.ReadAll(r); err != nil || len(text) != size {
		t.Errorf("%d bytes, want %d: %v", len(text), size, err)
	}
}

// Who reads on gets what was written in the meantime, and what is lost is said.
func TestReaderReturns(t *testing.T) {
	r, w, size := fill(t)
	patience, before := streamPatience, stderrBacklog.text
	streamPatience, stderrBacklog.text = 200*time.Millisecond, nil
	defer func() { streamPatience, stderrBacklog.text = patience, before }()
	writeStream(w, []byte("one\n"))
	writeStream(w, []byte("two\n"))
	writeStream(w, make([]byte, maxBacklog))
	all := make(chan string)
	go func() {
		io.ReadFull(r, make([]byte, size))
		all <- "read"
		text, _ := io.ReadAll(r)
		all <- string(text)
	}()
	<-all
	writeStream(w, []byte("three\n"))
	streamPatience = 10 * time.Second
	writeStream(w, []byte(strings.Repeat("x", 1<<17)+"\n")) // more than a pipe holds
	w.Close()
	want := "one\ntwo\nthree\natomrace: nobody read on here for a while; reports and notes that are lost: 1\n" + strings.Repeat("x", 1<<17) + "\n"
	if text := <-all; text != want {
		t.Errorf("%d bytes: %.200q", len(text), text)
	}
}
