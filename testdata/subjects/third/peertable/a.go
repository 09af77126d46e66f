package peertable

import (
	"errors"
	"io"
	"log/slog"
	"sync"
)

type Wire interface {
	ReadFrame() ([]byte, error)
	WriteFrame([]byte) error
	io.Closer
}

type peer struct {
	id string
	w  Wire
	wr sync.Mutex
}

func (p *peer) send(f []byte) error {
	p.wr.Lock()
	defer p.wr.Unlock()
	return p.w.WriteFrame(f)
}

type Node struct {
	mu     sync.RWMutex
	peers  map[string]*peer
	onData func(id string, frame []byte)
}

func NewNode(onData func(string, []byte)) *Node {
	return &Node{peers: make(map[string]*peer), onData: onData}
}

func (n *Node) handle(id string, w Wire) {
	p := &peer{id: id, w: w}
	n.mu.Lock()
	if old := n.peers[id]; old != nil {
		old.w.Close()
	}
	n.peers[id] = p
	n.mu.Unlock()

	for {
		f, err := w.ReadFrame()
		if err != nil {
			slog.Info("peer gone", "id", id, "err", err)
			break
		}
		n.onData(id, f)
	}

	w.Close()
	n.mu.Lock()
	delete(n.peers, id)
	n.mu.Unlock()
}

func (n *Node) Accept(id string, w Wire) { go n.handle(id, w) }

func (n *Node) Send(id string, frame []byte) error {
	n.mu.RLock()
	p, ok := n.peers[id]
	n.mu.RUnlock()
	if !ok {
		return errors.New("peer " + id + " not connected")
	}
	return p.send(frame)
}
