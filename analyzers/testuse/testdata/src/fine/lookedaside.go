package fine

import "sync"

// Notebook looks again where it adds the page: under the lock, or before, and leaves then.
type Notebook struct {
	mu    sync.Mutex
	pages []*notebookPage
}

type notebookPage struct{ title string }

func (n *Notebook) ensure(title string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.pages) > 0 {
		return
	}
	n.pages = append(n.pages, &notebookPage{title})
}

func (n *Notebook) Current() notebookPage {
	n.mu.Lock()
	if len(n.pages) == 0 {
		n.mu.Unlock()
		n.ensure("first")
		n.mu.Lock()
	}
	defer n.mu.Unlock()
	return *n.pages[len(n.pages)-1]
}

func (n *Notebook) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.pages = nil
}
