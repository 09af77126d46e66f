package fine

import "sync"

// The update is made under the lock, or only if nobody has made one since.

type DraftBook struct {
	mu   sync.Mutex
	text string
	rev  int
}

func NewDraftBook() *DraftBook { return &DraftBook{} }

func (d *DraftBook) Edit(edit func(string) string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.text = edit(d.text)
	d.rev++
}

func (d *DraftBook) TryEdit(edit func(string) string) bool {
	for range 3 {
		d.mu.Lock()
		old, rev := d.text, d.rev
		d.mu.Unlock()
		next := edit(old)
		d.mu.Lock()
		if d.rev == rev {
			d.text, d.rev = next, rev+1
			d.mu.Unlock()
			return true
		}
		d.mu.Unlock()
	}
	return false
}

// Another value is made of it, which takes no other's place.
func (d *DraftBook) Render(render func(string) []byte) []byte {
	d.mu.Lock()
	old := d.text
	d.mu.Unlock()
	return render(old)
}
