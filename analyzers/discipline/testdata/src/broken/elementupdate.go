package broken

import "sync"

type till struct {
	queue int
	takes int64
	claim bool
	sales int
}

// Market has tills, each with a queue.
type Market struct {
	mu    sync.Mutex
	tills map[string]*till
	all   []*till

	sumMu sync.Mutex
	sum   int64
}

func (m *Market) shortest() *till {
	var best *till
	for _, t := range m.all {
		if best == nil || t.queue < best.queue {
			best = t
		}
	}
	return best
}

func (m *Market) Join() *till {
	m.mu.Lock()
	t := m.shortest()
	m.mu.Unlock()
	if t != nil {
		t.queue++ // want `t.queue is updated here after m.mu was released, which \(\*Market\).Leave holds when it writes it`
	}
	return t
}

func (m *Market) Leave(t *till) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t.queue--
	t.sales = 0
}

func (m *Market) find(name string) *till {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tills[name]
}

func (m *Market) Pay(name string, n int64) {
	t := m.find(name)
	if t == nil {
		return
	}
	m.sumMu.Lock()
	m.sum += n
	t.takes += n // want `t.takes is updated here under another lock than m.mu, which \(\*Market\).Settle holds when it writes it`
	m.sumMu.Unlock()
}

func (m *Market) Settle() (n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tills {
		n += t.takes
		t.takes = 0
	}
	return n
}

// Claim takes a till for the caller alone.
func (m *Market) Claim() *till {
	m.mu.Lock()
	var t *till
	for _, x := range m.all {
		if !x.claim {
			t = x
			break
		}
	}
	if t == nil {
		m.mu.Unlock()
		return nil
	}
	t.claim = true
	m.mu.Unlock()
	t.sales++
	return t
}
