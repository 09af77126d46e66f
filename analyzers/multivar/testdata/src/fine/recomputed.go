package fine

import "sync"

// Table computes the total of its parts wherever they change.
type Table struct {
	mu       sync.Mutex
	rebuilds sync.Mutex
	parts    []int
	version  int
	total    int
	largest  int
	last     int
	sum      int
}

// SetParts lets one goroutine at a time change and compute.
func (t *Table) SetParts(parts []int) {
	t.rebuilds.Lock()
	defer t.rebuilds.Unlock()
	t.mu.Lock()
	t.parts = parts
	t.version++
	t.mu.Unlock()
	t.add()
}

func (t *Table) add() {
	t.mu.Lock()
	parts := t.parts
	t.mu.Unlock()
	total := 0
	for _, p := range parts {
		total += p
	}
	t.mu.Lock()
	t.total = total
	t.mu.Unlock()
}

// Replace computes from what it looks at again.
func (t *Table) Replace(parts []int) {
	t.mu.Lock()
	t.parts = parts
	t.version++
	t.mu.Unlock()
	t.maximum()
}

func (t *Table) maximum() {
	for {
		t.mu.Lock()
		parts, version := t.parts, t.version
		t.mu.Unlock()
		largest := 0
		for _, p := range parts {
			largest = max(largest, p)
		}
		t.mu.Lock()
		same := version == t.version
		if same {
			t.largest = largest
		}
		t.mu.Unlock()
		if same {
			return
		}
	}
}

// Append keeps the lock for all of it.
func (t *Table) Append(part int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.parts = append(t.parts, part)
	t.version++
	t.ends()
}

func (t *Table) ends() {
	parts := t.parts
	if len(parts) > 0 {
		t.last = parts[len(parts)-1]
	}
}

// Note stores what others store as well: whoever is last tells.
func (t *Table) Note(n int) {
	t.mu.Lock()
	t.parts = []int{n}
	t.version++
	t.mu.Unlock()
	t.adds()
}

func (t *Table) adds() {
	t.mu.Lock()
	parts := t.parts
	t.mu.Unlock()
	sum := 0
	for _, p := range parts {
		sum += p
	}
	t.mu.Lock()
	t.sum = sum
	t.mu.Unlock()
}

func (t *Table) SetSum(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum = n
}

func (t *Table) Totals() (int, int, int, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total, t.largest, t.last, t.sum
}
