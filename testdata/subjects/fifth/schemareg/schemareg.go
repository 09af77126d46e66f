// Package schemareg is a registry of record schemas with a compatibility check.
package schemareg

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

var (
	ErrUnknown      = errors.New("schemareg: unknown schema")
	ErrIncompatible = errors.New("schemareg: incompatible change")
)

type Field struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Required bool   `json:"required,omitempty"`
}

// Schema is one version of a subject's layout. It does not change after Register.
type Schema struct {
	Subject string
	Version int
	fields  []Field
	byName  map[string]int
}

func compile(subject string, version int, fields []Field) (*Schema, error) {
	s := &Schema{Subject: subject, Version: version, byName: make(map[string]int, len(fields))}
	for i, f := range fields {
		if _, dup := s.byName[f.Name]; dup {
			return nil, fmt.Errorf("schemareg: %s: field %q given twice", subject, f.Name)
		}
		s.byName[f.Name] = i
		s.fields = append(s.fields, f)
	}
	return s, nil
}

func (s *Schema) accepts(old *Schema) error {
	for _, f := range s.fields {
		i, ok := old.byName[f.Name]
		switch {
		case !ok && f.Required:
			return fmt.Errorf("%w: new field %q is required", ErrIncompatible, f.Name)
		case ok && old.fields[i].Type != f.Type:
			return fmt.Errorf("%w: %q changes from %s to %s", ErrIncompatible, f.Name, old.fields[i].Type, f.Type)
		}
	}
	return nil
}

type Registry struct {
	tableLock sync.RWMutex
	subjects  map[string][]*Schema
}

func New() *Registry { return &Registry{subjects: make(map[string][]*Schema)} }

// Register adds the next version of a subject.
func (r *Registry) Register(subject string, fields []Field) (int, error) {
	r.tableLock.Lock()
	defer r.tableLock.Unlock()
	versions := r.subjects[subject]
	s, err := compile(subject, len(versions)+1, fields)
	if err != nil {
		return 0, err
	}
	if n := len(versions); n > 0 {
		if err := s.accepts(versions[n-1]); err != nil {
			return 0, err
		}
	}
	r.subjects[subject] = append(versions, s)
	return s.Version, nil
}

// Latest returns the newest version of a subject.
func (r *Registry) Latest(subject string) (*Schema, error) {
	r.tableLock.RLock()
	defer r.tableLock.RUnlock()
	v := r.subjects[subject]
	if len(v) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrUnknown, subject)
	}
	return v[len(v)-1], nil
}

// Validate checks a JSON record against the newest version of its subject.
func (r *Registry) Validate(subject string, raw []byte) error {
	s, err := r.Latest(subject)
	if err != nil {
		return err
	}
	var rec map[string]json.RawMessage
	if err := json.Unmarshal(raw, &rec); err != nil {
		return err
	}
	for _, f := range s.fields {
		if _, ok := rec[f.Name]; !ok && f.Required {
			return fmt.Errorf("%s v%d: field %q is missing", s.Subject, s.Version, f.Name)
		}
	}
	for name := range rec {
		if _, ok := s.byName[name]; !ok {
			return fmt.Errorf("%s v%d: field %q is not known", s.Subject, s.Version, name)
		}
	}
	return nil
}
