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

// Vouchers are deleted with the lock held for writing only.
type Vouchers struct {
	sync.RWMutex
	codes map[string][]byte
}

func (v *Vouchers) Put(id string, code []byte) {
	v.Lock()
	v.codes[id] = code
	v.Unlock()
}

func (v *Vouchers) Get(id string, clear bool) []byte {
	if !clear {
		v.RLock()
		defer v.RUnlock()
	} else {
		v.Lock()
		defer v.Unlock()
	}
	code, ok := v.codes[id]
	if !ok {
		return nil
	}
	if clear {
		delete(v.codes, id)
	}
	return code
}
