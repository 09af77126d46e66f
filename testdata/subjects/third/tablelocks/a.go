package tablelocks

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

type Locks struct {
	m sync.Map
}

func (l *Locks) of(table string) *sync.Mutex {
	if v, ok := l.m.Load(table); ok {
		return v.(*sync.Mutex)
	}
	v, _ := l.m.LoadOrStore(table, new(sync.Mutex))
	return v.(*sync.Mutex)
}

type Migrator struct {
	db    *sql.DB
	locks Locks
}

func NewMigrator(db *sql.DB) *Migrator { return &Migrator{db: db} }

func (m *Migrator) Exec(ctx context.Context, table string, stmts ...string) error {
	mu := m.locks.of(table)
	mu.Lock()
	defer mu.Unlock()

	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for i, q := range stmts {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("%s: statement %d: %w", table, i, err)
		}
	}
	return tx.Commit()
}
