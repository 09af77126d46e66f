package sshforward

import (
	"io"
	"net"
	"sync"
)

type Forward struct {
	remote string
	ln     net.Listener

	mu     sync.Mutex
	cancel chan struct{}
}

func Listen(local, remote string) (*Forward, error) {
	ln, err := net.Listen("tcp", local)
	if err != nil {
		return nil, err
	}
	f := &Forward{remote: remote, ln: ln, cancel: make(chan struct{})}
	go f.accept(f.cancel)
	return f, nil
}

func (f *Forward) accept(cancel <-chan struct{}) {
	for {
		c, err := f.ln.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			up, err := net.Dial("tcp", f.remote)
			if err != nil {
				return
			}
			defer up.Close()
			go io.Copy(up, c)
			go io.Copy(c, up)
			<-cancel
		}()
	}
}

func (f *Forward) Cancel() error {
	f.mu.Lock()
	ch := f.cancel
	f.cancel = nil
	f.mu.Unlock()
	if ch == nil {
		return net.ErrClosed
	}
	close(ch)
	return f.ln.Close()
}
