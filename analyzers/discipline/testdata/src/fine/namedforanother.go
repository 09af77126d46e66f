package fine

import "sync"

// A Ledgerbook is edited by one goroutine, and its history is printed by others.
type Ledgerbook struct {
	historyMutex sync.RWMutex
	history      []string
	line         []rune
	undone       []string
}

func (l *Ledgerbook) Record(s string) {
	l.historyMutex.Lock()
	l.history = append(l.history, s)
	l.historyMutex.Unlock()
}

func (l *Ledgerbook) Edit(next func() rune) string {
	l.historyMutex.RLock()
	defer l.historyMutex.RUnlock()
	for c := next(); c != 0; c = next() {
		if c == 'u' && len(l.history) > 0 {
			l.undo()
			continue
		}
		l.line = append(l.line, c)
	}
	return string(l.line)
}

func (l *Ledgerbook) undo() {
	if len(l.undone) > 9 {
		l.undone = l.undone[1:]
	}
	l.undone = append(l.undone, string(l.line))
	l.line = l.line[:0]
}
