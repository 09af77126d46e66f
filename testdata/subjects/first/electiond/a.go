package electiond

import (
	"sync"
	"time"
)

type state int

const (
	follower state = iota
	candidate
	leader
)

type Voter interface {
	Vote(term uint64, id string) (granted bool, peerTerm uint64)
}

type Member struct {
	id     string
	voters []Voter

	mu    sync.Mutex
	state state
	term  uint64
}

func NewMember(id string, voters []Voter, timeout time.Duration) *Member {
	m := &Member{id: id, voters: voters}
	go func() {
		for range time.Tick(timeout) {
			m.elect()
		}
	}()
	return m
}

func (m *Member) elect() {
	m.mu.Lock()
	if m.state == leader {
		m.mu.Unlock()
		return
	}
	m.state = candidate
	m.term++
	term := m.term
	m.mu.Unlock()

	granted := 1
	for _, v := range m.voters {
		ok, peerTerm := v.Vote(term, m.id)
		if ok {
			granted++
		}
		if peerTerm > term {
			m.StepDown(peerTerm)
			return
		}
	}

	m.mu.Lock()
	defer m.mu.Unlock()
	if m.term != term || m.state != candidate {
		return
	}
	if granted > (len(m.voters)+1)/2 {
		m.state = leader
	}
}

func (m *Member) StepDown(term uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if term > m.term {
		m.term = term
		m.state = follower
	}
}
