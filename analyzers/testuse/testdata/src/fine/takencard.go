package fine

import "sync"

// Cards are handed out by name, and what hangs on each by the same name.
type Cards struct {
	mu     sync.Mutex
	byName map[string]*takenCard
	loans  map[string]*loanNotes
}

type takenCard struct{ loan string }

// Return has the card alone, whose loan nobody else has.
func (c *Cards) Return(name string) {
	c.mu.Lock()
	k, ok := c.byName[name]
	if ok {
		delete(c.byName, name)
	}
	c.mu.Unlock()
	if !ok {
		return
	}
	c.mu.Lock()
	loan, found := c.loans[k.loan]
	c.mu.Unlock()
	if found && loan.empty() {
		c.mu.Lock()
		delete(c.loans, k.loan)
		c.mu.Unlock()
	}
}

func (c *Cards) Lend(name, loan string) {
	c.mu.Lock()
	c.byName[name] = &takenCard{loan: loan}
	if c.loans[loan] == nil {
		c.loans[loan] = &loanNotes{}
	}
	c.mu.Unlock()
}

type loanNotes struct {
	mu    sync.Mutex
	notes []string
}

func (l *loanNotes) empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.notes) == 0
}
