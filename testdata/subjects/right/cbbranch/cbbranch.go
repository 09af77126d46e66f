// Package cbbranch copies from one of two sources.
package cbbranch

import (
	"compress/gzip"
	"io"
	"log"
)

// Start copies in the background, and returns a channel that is closed at the end.
func Start(dst io.Writer, src io.Reader, packed bool) <-chan struct{} {
	done := make(chan struct{})
	if packed {
		go func() {
			defer close(done)
			z, err := gzip.NewReader(src)
			if err != nil {
				log.Print(err)
				return
			}
			io.Copy(dst, z)
		}()
	} else {
		go func() {
			defer close(done)
			io.Copy(dst, src)
		}()
	}
	return done
}

// Watch does one thing or the other.
func Watch(kind string, read func() error) <-chan struct{} {
	failed := make(chan struct{})
	switch kind {
	case "once":
		go func() {
			if err := read(); err != nil {
				close(failed)
			}
		}()
		return failed
	}
	go func() {
		for {
			if err := read(); err != nil {
				close(failed)
				return
			}
		}
	}()
	return failed
}
