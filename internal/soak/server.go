//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience is how long a server may take to begin or to end.
const patience = 10 * time.Second

// server is one of the two, and what is known of it.
type server struct {
	name string
	url  string
	cmd  *exec.Cmd
	errs bytes.Buffer // what it wrote to standard error
	http http.Client

	latencies     latencies
	each          []latencies // of each turn
	sent          [20]int     // changes of each kind that it has confirmed
	turns         int
	answered      int // requests
	failed        int
	before, after state
	ended         error // how it took SIGTERM
}

// state is what a server says of itself.
type state struct {
	Goroutines int
	Heap       uint64
	Sums       [20]int
}

// start runs the binary and waits until it says where it listens.
func start(binary, atomrace string) (*server, error) {
	s := &server{name: filepath.Base(binary), cmd: exec.Command(binary)}
	s.cmd.Env = append(os.Environ(), "ATOMRACE="+atomrace)
	s.cmd.Stderr = &s.errs
	s.http.Transport = &http.Transport{MaxIdleConnsPerHost: clients}
	s.http.Timeout = patience
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.kill()
		return nil, fmt.Errorf("%s did not begin: %w\n%s", s.name, err, s.errs.String())
	}
	s.url = "http://" + strings.TrimSpace(addr)
	return s, nil
}

// load lets all clients send requests for d, each of which runs through twice as many
// sections as changes says.
func (s *server) load(d time.Duration, changes int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	end := time.Now().Add(d)
	s.turns++
	var turn latencies
	for c := range clients {
		all.Go(func() {
			var mine latencies
			var sent [20]int
			failed := 0
			for i := 0; time.Now().Before(end); i++ {
				kind, customer, n := (s.turns+i+c)%10, i%16, 1+i%3
				from := time.Now()
				if err := s.get(fmt.Sprintf("/change?customer=%d&kind=%d&n=%d&changes=%d", customer, kind, n, changes), nil); err != nil {
					failed++
					continue
				}
				mine.add(time.Since(from))
				for k := range changes {
					sent[(kind+k)%10] += n
					sent[(kind+k)%10+10] += n
				}
			}
			mu.Lock()
			defer mu.Unlock()
			turn.merge(&mine)
			s.answered += mine.count()
			s.failed += failed
			for i := range sent {
				s.sent[i] += sent[i]
			}
		})
	}
	all.Wait()
	s.latencies.merge(&turn)
	s.each = append(s.each, turn)
}

// get reads the answer into v, if that is not nil, and else reads it to its end.
func (s *server) get(path string, v any) error {
	r, err := s.http.Get(s.url + path)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, r.Status)
	}
	if v != nil {
		return json.NewDecoder(r.Body).Decode(v)
	}
	_, err = io.Copy(io.Discard, r.Body)
	return err
}

func (s *server) state() (x state, err error) {
	err = s.get("/state", &x)
	return x, err
}

// cpu is the processor time of one request, the ones before the measurement included. It
// is for a server that has ended.
func (s *server) cpu() time.Duration {
	used := s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
	return (used / time.Duration(max(s.answered, 1))).Round(100 * time.Nanosecond)
}

// lost is how many changes were confirmed and are not there, or are there twice.
func (s *server) lost() (n int) {
	for i := range s.sent {
		n += max(s.sent[i]-s.after.Sums[i], s.after.Sums[i]-s.sent[i])
	}
	return n
}

// stop sends SIGTERM and waits for the end.
func (s *server) stop() error {
	s.http.CloseIdleConnections()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	late := time.AfterFunc(patience, func() { s.cmd.Process.Kill() })
	defer late.Stop()
	return s.cmd.Wait()
}

// kill is for the way out; a server that has ended already does not mind.
func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

func (s *server) exit() string {
	if s.ended != nil {
		return s.ended.Error()
	}
	return "0"
}

// said is what heal has written.
func (s *server) said() string { return s.errs.String() }
