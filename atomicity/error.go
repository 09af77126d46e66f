package atomicity

import (
	"errors"
	"fmt"
	"strings"
)

// maxErrors bounds how many problems of one file are listed.
const maxErrors = 10

// Error is one thing that is wrong in an atomicity.yaml.
type Error struct {
	// File is the name the file was opened by.
	File string
	// Line and Column count from 1, columns in characters. Both are 0 when the
	// file as a whole is meant, for instance when it cannot be opened.
	Line, Column int
	// Path leads to the place in the document, for instance
	// packages[0].variables[1].sections[0].entry.access; empty for the whole.
	Path string
	// Msg says what is wrong and, after a semicolon, what to do.
	Msg string

	cause error
}

// Error returns the problem on one line: file:line:column: path: message.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
		}
		b.WriteString(": ")
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

// Unwrap returns the error of the operating system behind this one, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Errors are all the problems of one file, in the order of the file.
type Errors []*Error

// Error returns one line a problem, at most ten and then how many more.
func (e Errors) Error() string {
	var lines []string
	for i, err := range e {
		if i == maxErrors {
			lines = append(lines, fmt.Sprintf("%s: %d more problems", err.File, len(e)-i))
			break
		}
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems, so that errors.As finds the first *Error.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i, err := range e {
		list[i] = err
	}
	return list
}

// err returns nil, the only *Error, or all of them.
func (e Errors) err() error {
	switch len(e) {
	case 0:
		return nil
	case 1:
		return e[0]
	}
	return e
}

// fileError wraps an error of the operating system, whose own text repeats the
// file name.
func fileError(file, what string, cause error) *Error {
	reason := cause
	var path interface{ Unwrap() error }
	if errors.As(cause, &path) && path.Unwrap() != nil {
		reason = path.Unwrap()
	}
	return &Error{File: file, Msg: fmt.Sprintf("%s: %v", what, reason), cause: cause}
}
