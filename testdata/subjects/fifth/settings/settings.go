// Package settings is a typed view of a node's settings; readers take no lock.
package settings

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strconv"
	"sync/atomic"
	"time"
)

var ErrVersion = errors.New("settings: version has passed")

type frame struct {
	version uint64
	at      time.Time
	kv      map[string]string
}

// Check refuses a value, for instance since it is out of range.
type Check func(key, value string) error

type Settings struct {
	latest atomic.Pointer[frame]
	checks map[string]Check // fixed by New
	log    *slog.Logger
	races  atomic.Int64
}

func New(log *slog.Logger, defaults map[string]string, checks map[string]Check) *Settings {
	s := &Settings{checks: maps.Clone(checks), log: log}
	s.latest.Store(&frame{version: 1, at: time.Now(), kv: maps.Clone(defaults)})
	return s
}

func (s *Settings) Int(key string, def int) int {
	n, err := strconv.Atoi(s.latest.Load().kv[key])
	if err != nil {
		return def
	}
	return n
}

func (s *Settings) Bool(key string) bool {
	v, _ := strconv.ParseBool(s.latest.Load().kv[key])
	return v
}

// Version goes with every heartbeat, so that peers see who is behind.
func (s *Settings) Version() (uint64, time.Time) {
	f := s.latest.Load()
	return f.version, f.at
}

func (s *Settings) verify(changes map[string]string) error {
	var errs []error
	for k, v := range changes {
		if check := s.checks[k]; check != nil {
			if err := check(k, v); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", k, err))
			}
		}
	}
	return errors.Join(errs...)
}

// Merge applies local changes on top of whatever is current.
func (s *Settings) Merge(changes map[string]string) (uint64, error) {
	if err := s.verify(changes); err != nil {
		return 0, err
	}
	for {
		base := s.latest.Load()
		next := &frame{version: base.version + 1, at: time.Now(), kv: make(map[string]string, len(base.kv)+len(changes))}
		maps.Copy(next.kv, base.kv)
		maps.Copy(next.kv, changes)
		if s.latest.CompareAndSwap(base, next) {
			s.log.Info("settings merged", "version", next.version, "keys", len(changes))
			return next.version, nil
		}
		s.races.Add(1)
	}
}

// Replace takes a whole set from a peer if that is newer than ours.
func (s *Settings) Replace(version uint64, kv map[string]string) error {
	if err := s.verify(kv); err != nil {
		return err
	}
	next := &frame{version: version, at: time.Now(), kv: maps.Clone(kv)}
	for {
		base := s.latest.Load()
		if base.version >= version {
			return fmt.Errorf("%w: have %d, got %d", ErrVersion, base.version, version)
		}
		if s.latest.CompareAndSwap(base, next) {
			return nil
		}
		s.races.Add(1)
	}
}
