package owned

import (
	"strings"
	"sync"
	"sync/atomic"
)

var parsed atomic.Value // of map[string][]string

// What another's Store has taken away is made again.
func Fields(line string) []string {
	cache, _ := parsed.Load().(map[string][]string)
	fields := cache[line]
	if fields == nil {
		fields = strings.Fields(line)
		next := make(map[string][]string, len(cache)+1)
		for k, v := range cache {
			next[k] = v
		}
		next[line] = fields
		parsed.Store(next)
	}
	return fields
}

var settings atomic.Value // of map[string]string

func Setting(k string) string { return settings.Load().(map[string]string)[k] }

func Set(k, v string) {
	old := settings.Load().(map[string]string) // want `two goroutines can both read settings before either stores it`
	next := make(map[string]string, len(old)+1)
	for k, v := range old {
		next[k] = v
	}
	next[k] = v
	settings.Store(next)
}

var (
	defaultsMu sync.Mutex
	defaults   = map[string][]string{}
)

// Everybody makes the same list of the same key.
func Defaults(key string) []string {
	defaultsMu.Lock()
	list, ok := defaults[key]
	defaultsMu.Unlock()
	if !ok {
		if key == "" {
			fill(&list)
		} else {
			list = strings.Split(key, ",")
		}
		defaultsMu.Lock()
		defaults[key] = list
		defaultsMu.Unlock()
	}
	return list
}

func fill(list *[]string) { *list = nil }
