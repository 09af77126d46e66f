package gitlocks

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

type Store struct {
	root  string
	locks sync.Map
}

func NewStore(root string) *Store { return &Store{root: root} }

func (s *Store) lockFor(repo string) *sync.Mutex {
	if v, ok := s.locks.Load(repo); ok {
		return v.(*sync.Mutex)
	}
	mu := new(sync.Mutex)
	s.locks.Store(repo, mu)
	return mu
}

func (s *Store) path(repo string) (string, error) {
	if repo == "" || strings.Contains(repo, "..") {
		return "", fmt.Errorf("bad repository name %q", repo)
	}
	return filepath.Join(s.root, repo+".git"), nil
}

func (s *Store) git(ctx context.Context, repo string, args ...string) error {
	dir, err := s.path(repo)
	if err != nil {
		return err
	}
	mu := s.lockFor(repo)
	mu.Lock()
	defer mu.Unlock()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}

func (s *Store) Repack(ctx context.Context, repo string) error {
	return s.git(ctx, repo, "repack", "-ad")
}

func (s *Store) UpdateRef(ctx context.Context, repo, ref, rev string) error {
	return s.git(ctx, repo, "update-ref", ref, rev)
}
