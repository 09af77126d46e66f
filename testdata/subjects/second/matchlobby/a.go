package matchlobby

import (
	"errors"
	"sync"
)

var ErrFull = errors.New("matchlobby: full")

type Lobby struct {
	Code string

	mu      sync.Mutex
	players map[string]struct{}
}

func (l *Lobby) add(player string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.players) >= 8 {
		return ErrFull
	}
	l.players[player] = struct{}{}
	return nil
}

func (l *Lobby) remove(player string) (empty bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.players, player)
	return len(l.players) == 0
}

type Server struct {
	mu      sync.Mutex
	lobbies map[string]*Lobby
}

func NewServer() *Server { return &Server{lobbies: map[string]*Lobby{}} }

func (s *Server) lobby(code string) *Lobby {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.lobbies[code]
	if !ok {
		l = &Lobby{Code: code, players: map[string]struct{}{}}
		s.lobbies[code] = l
	}
	return l
}

func (s *Server) Enter(code, player string) (*Lobby, error) {
	l := s.lobby(code)
	if err := l.add(player); err != nil {
		return nil, err
	}
	return l, nil
}

func (s *Server) Quit(l *Lobby, player string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.remove(player) && s.lobbies[l.Code] == l {
		delete(s.lobbies, l.Code)
	}
}
