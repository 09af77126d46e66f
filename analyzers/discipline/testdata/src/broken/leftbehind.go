package broken

import "os/exec"

// Kennel lets programs run, and forgets them when they are over.
type Kennel struct {
	running map[*exec.Cmd]bool
	results map[string]error
}

func NewKennel() *Kennel {
	return &Kennel{running: map[*exec.Cmd]bool{}, results: map[string]error{}}
}

// Release is called for each program.
func (k *Kennel) Release(c *exec.Cmd) error {
	if err := c.Start(); err != nil {
		return err
	}
	k.running[c] = true
	go func() {
		_ = c.Wait()
		delete(k.running, c) // want `k.running is changed here by a goroutine that \(\*Kennel\).Release starts each time and does not wait for, and \(\*Kennel\).Release changes it at the same time: neither holds a lock`
	}()
	return nil
}

func (k *Kennel) Call(name string) {
	for c := range k.running {
		_, _ = c.Stdout.Write([]byte(name))
	}
}
