// Package flagsets holds feature flags that are read on every request and changed rarely.
package flagsets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

type Flag struct {
	Enabled bool   `json:"enabled"`
	Percent uint32 `json:"percent"`
}

func (f Flag) on(subject string) bool {
	if !f.Enabled || f.Percent >= 100 {
		return f.Enabled
	}
	h := fnv.New32a()
	h.Write([]byte(subject))
	return h.Sum32()%100 < f.Percent
}

type set struct {
	rev   int
	etag  string
	flags map[string]Flag
}

var (
	ErrUnchanged = errors.New("flagsets: unchanged")
	ErrPercent   = errors.New("flagsets: percent over 100")
)

type Store struct {
	url  string
	http *http.Client
	log  *slog.Logger

	cur     atomic.Pointer[set]
	writeMu sync.Mutex
	subs    []func(rev int)
}

func New(ctx context.Context, url string, every time.Duration, log *slog.Logger) *Store {
	s := &Store{url: url, http: &http.Client{Timeout: 5 * time.Second}, log: log}
	s.cur.Store(&set{flags: map[string]Flag{}})
	go s.poll(ctx, every)
	return s
}

// On reports whether the flag is on for subject.
func (s *Store) On(name, subject string) bool {
	return s.cur.Load().flags[name].on(subject)
}

// update publishes what change makes of the current set.
func (s *Store) update(change func(next *set) error) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	old := s.cur.Load()
	next := &set{rev: old.rev + 1, etag: old.etag, flags: maps.Clone(old.flags)}
	if err := change(next); err != nil {
		if errors.Is(err, ErrUnchanged) {
			return nil
		}
		return err
	}
	s.cur.Store(next)
	for _, fn := range s.subs {
		fn(next.rev)
	}
	s.log.Info("flags changed", "rev", next.rev, "flags", len(next.flags))
	return nil
}

// OnChange registers fn; it must not call back into the store's writers.
func (s *Store) OnChange(fn func(rev int)) {
	s.writeMu.Lock()
	s.subs = append(s.subs, fn)
	s.writeMu.Unlock()
}

// Set changes one flag.
func (s *Store) Set(name string, f Flag) error {
	if f.Percent > 100 {
		return fmt.Errorf("%w: %s", ErrPercent, name)
	}
	return s.update(func(next *set) error {
		if old, ok := next.flags[name]; ok && old == f {
			return ErrUnchanged
		}
		next.flags[name] = f
		return nil
	})
}

func (s *Store) poll(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		flags, etag, err := s.download(ctx)
		if err != nil {
			s.log.Warn("flag download", "url", s.url, "err", err)
		} else {
			s.update(func(next *set) error {
				if etag != "" && etag == next.etag {
					return ErrUnchanged
				}
				maps.Copy(next.flags, flags)
				next.etag = etag
				return nil
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

func (s *Store) download(ctx context.Context) (flags map[string]Flag, etag string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, "", err
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("status %s", resp.Status)
	}
	err = json.NewDecoder(resp.Body).Decode(&flags)
	return flags, resp.Header.Get("ETag"), err
}
