package langserver

import (
	"fmt"
	"os/exec"
	"sync"
)

type Host struct {
	bin  string
	args []string

	mu   *sync.Mutex
	proc *exec.Cmd
	gen  int
}

func NewHost(bin string, args ...string) *Host {
	return &Host{bin: bin, args: args, mu: new(sync.Mutex)}
}

func (h *Host) running() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.proc != nil
}

func (h *Host) start() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	cmd := exec.Command(h.bin, h.args...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("langserver: start %s: %w", h.bin, err)
	}
	h.proc = cmd
	h.gen++
	return nil
}

func (h *Host) Restart(force bool) error {
	if force {
		h.Stop()
	}
	switch h.running() {
	case true:
		return nil
	default:
		return h.start()
	}
}

func (h *Host) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.proc == nil {
		return
	}
	_ = h.proc.Process.Kill()
	_ = h.proc.Wait()
	h.proc = nil
}
