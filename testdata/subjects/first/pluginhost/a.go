package pluginhost

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

type Plugin struct {
	Name string
	Path string
}

var (
	mu      sync.Mutex
	loaded  bool
	plugins []Plugin
	dir     = "/usr/lib/pluginhost"
)

func ensure() error {
	if loaded {
		return nil
	}
	mu.Lock()
	defer mu.Unlock()
	ents, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	for _, e := range ents {
		if filepath.Ext(e.Name()) != ".so" {
			continue
		}
		plugins = append(plugins, Plugin{Name: e.Name(), Path: filepath.Join(dir, e.Name())})
	}
	loaded = true
	return nil
}

// All returns every plugin found in the plugin folder.
func All() ([]Plugin, error) {
	if err := ensure(); err != nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	out := make([]Plugin, len(plugins))
	copy(out, plugins)
	return out, nil
}

func Lookup(name string) (Plugin, bool) {
	mu.Lock()
	defer mu.Unlock()
	for _, p := range plugins {
		if p.Name == name {
			return p, true
		}
	}
	return Plugin{}, false
}
