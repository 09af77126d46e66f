package rewrite

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// unit is what came of one package and its tests.
type unit struct {
	Files, Cover map[string][]byte // by path of the original
	Hooked       bool              // there is something to hook
	Hooks        Hooks
	Unhooked     []Note
	Stale        []Stale
	fresh        bool // made by this run
}

// unitCache keeps units in files that are named by their keys. An entry is
// valid in programs that have hooks at all. A nil cache is empty and keeps
// nothing.
type unitCache struct {
	dir  string
	keys map[string]string // by import path
}

// newUnitCache is nil where packages cannot be told by their import paths.
func newUnitCache(o Options, s settings, list []*listed, selected map[string]bool) (*unitCache, error) {
	if o.Cache == "" || o.Readable || selected[filesPackage] {
		return nil, nil
	}
	keys, err := newKeys(o, s, list)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	c := &unitCache{dir: filepath.Join(o.Cache, "package"), keys: map[string]string{}}
	for _, p := range list {
		if selected[p.ImportPath] {
			c.keys[p.ImportPath] = keys.of(p)
		}
	}
	return c, nil
}

func (c *unitCache) file(path string) string {
	if c == nil || c.keys[path] == "" {
		return ""
	}
	return filepath.Join(c.dir, c.keys[path]+".json")
}

// load returns the unit of the package, nil when there is none that is whole.
func (c *unitCache) load(p *listed) *unit {
	file := c.file(p.ImportPath)
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	u := new(unit)
	if json.Unmarshal(text, u) != nil {
		_ = os.Remove(file) // so that it is written anew
		return nil
	}
	MarkUsed(file)
	return u
}

func (c *unitCache) store(path string, u *unit) error {
	file := c.file(path)
	if file == "" {
		return nil
	}
	text, err := json.Marshal(u)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if err := writeOnce(file, text); err != nil {
		return cacheError("cache", err)
	}
	return nil
}
