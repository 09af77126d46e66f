package broken

import "sync"

type line struct{ name string }

// Links has the newest line of each peer.
type Links struct {
	peers sync.Map
	fixed sync.Map
}

func (l *Links) Up(peer string, n *line) { l.peers.Store(peer, n) }

func (l *Links) Down(peer string, n *line) {
	if cur, ok := l.peers.Load(peer); ok && cur.(*line) == n { // want `another goroutine can store another value in l.peers\[peer\] after it was compared, and it is that one which is deleted`
		l.peers.Delete(peer)
	}
}

func (l *Links) DownUnless(peer string, n *line) {
	cur, ok := l.peers.Load(peer) // want `another goroutine can store another value in l.peers\[peer\] after it was compared`
	if !ok || cur != any(n) {
		return
	}
	l.peers.Delete(peer)
}

// DownIfStill deletes its own line alone.
func (l *Links) DownIfStill(peer string, n *line) { l.peers.CompareAndDelete(peer, n) }

// Fix keeps the first line that comes: nobody puts another one in its place.
func (l *Links) Fix(peer string, n *line) bool {
	_, found := l.fixed.LoadOrStore(peer, n)
	return !found
}

func (l *Links) Unfix(peer string, n *line) {
	if cur, ok := l.fixed.Load(peer); ok && cur.(*line) == n {
		l.fixed.Delete(peer)
	}
}
