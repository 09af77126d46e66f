//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The server without hooks: it begins, answers, counts, and ends on SIGTERM.
func TestServer(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "native")
	cmd := exec.Command("go", "build", "-o", binary, ".")
	cmd.Dir = filepath.Join("..", "..", "testdata", "workloads", "soak")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s, err := start(binary, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.kill()
	s.load(100*time.Millisecond, 3)
	if s.after, err = s.state(); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for i := range s.sent {
		sum += s.sent[i]
	}
	if n := s.latencies.count(); n == 0 || s.failed > 0 || s.latencies.quantile(0.5) == 0 || s.after.Goroutines == 0 || s.lost() > sum/2 {
		t.Errorf("%d requests, %d failed, median %v, %d goroutines, %d of %d lost", n, s.failed, s.latencies.quantile(0.5), s.after.Goroutines, s.lost(), sum)
	}
	if err := s.get("/change?customer=x", nil); err == nil {
		t.Error("a request that means nothing was accepted")
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}
