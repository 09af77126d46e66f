package readers

import "sync"

type names map[string]bool

func (n names) add(s string) { n[s] = true }

type catalog struct{ by map[string]names }

// find changes what it has made alone, and hands out what the catalog has as it is.
func (c *catalog) find(keys []string) names {
	var found names
	if len(keys) == 1 {
		found = c.by[keys[0]]
	} else {
		found = names{}
		for _, k := range keys {
			for name := range c.by[k] {
				found.add(name)
			}
		}
	}
	return found
}

// merge adds to the first set that it finds, which is the catalog's own.
func (c *catalog) merge(keys []string) names {
	found := names{}
	for _, k := range keys {
		for name := range c.by[k] {
			found.add(name)
		}
		found = c.by[k]
	}
	return found
}

// extend adds to the catalog's own set, unless it has none.
func (c *catalog) extend(key, name string) names {
	found := c.by[key]
	if found == nil {
		found = names{}
	}
	found.add(name)
	return found
}

func (c *catalog) put(key, name string) {
	if c.by[key] == nil {
		c.by[key] = names{}
	}
	c.by[key].add(name)
}

type Library struct {
	mu     sync.RWMutex
	titles catalog
	places catalog
	topics catalog
}

func (l *Library) Put(key, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.titles.put(key, name)
	l.places.put(key, name)
	l.topics.put(key, name)
}

func (l *Library) Titles(keys []string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.titles.find(keys))
}

func (l *Library) Places(keys []string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.places.merge(keys)) // want `l.places.merge changes l.places, and l.mu is held for reading only`
}

func (l *Library) Topics(key, name string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.topics.extend(key, name)) // want `l.topics.extend changes l.topics, and l.mu is held for reading only`
}
