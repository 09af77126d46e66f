package fine

import (
	"database/sql"
	"sync"
)

// Archive runs two statements in one transaction; each looks whether it is over.
type Archive struct {
	mu   sync.Mutex
	tx   *sql.Tx
	over bool
}

func (a *Archive) Wipe(id int) error {
	if _, err := a.tx.Exec("DELETE FROM pages WHERE id = ?", id); err != nil {
		return err
	}
	_, err := a.tx.Exec("DELETE FROM books WHERE id = ?", id)
	return err
}

func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return nil
	}
	a.over = true
	return a.tx.Rollback()
}
