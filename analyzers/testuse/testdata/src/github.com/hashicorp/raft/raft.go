// Package raft stands for the one of that name: what it says of a machine matters.
package raft

import "io"

// Log is an entry.
type Log struct{ Data []byte }

// FSMSnapshot is a state.
type FSMSnapshot interface{ Release() }

// FSM is driven by one goroutine.
type FSM interface {
	Apply(*Log) interface{}
	Snapshot() (FSMSnapshot, error)
	Restore(snapshot io.ReadCloser) error
}

// New begins to drive it.
func New(FSM) {}
