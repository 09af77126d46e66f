package fine

import (
	"sync"
	"time"
)

// larder keeps what was put there. It may be used by several goroutines.
type larder struct {
	mu   sync.RWMutex
	kept map[string]larderEntry
}

type larderEntry struct {
	value any
	until time.Time
}

const anHour = time.Hour

// Get looks for what is there.
func (s *larder) Get(key string) (any, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	k, ok := s.kept[key]
	return k.value, ok && time.Now().Before(k.until)
}

// Set puts it there, for a time.
func (s *larder) Set(key string, v any, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[key] = larderEntry{v, time.Now().Add(d)}
}

// Recipe is what somebody has paid for.
type Recipe struct{ Name string }

// RecipeSource gives recipes.
type RecipeSource interface {
	Load(id string) (*Recipe, error)
}

// Recipes keeps those that were asked for. It may be used by several goroutines.
type Recipes struct {
	mu     sync.Mutex
	larder larder
	source RecipeSource
}

// Find gives the recipe.
func (p *Recipes) Find(id string) (*Recipe, error) {
	recipe, ok := p.larder.Get(id)
	if ok {
		return recipe.(*Recipe), nil
	}
	loaded, err := p.source.Load(id)
	if err != nil {
		return nil, err
	}
	recipe = loaded
	p.larder.Set(id, recipe, anHour)
	return recipe.(*Recipe), nil
}
