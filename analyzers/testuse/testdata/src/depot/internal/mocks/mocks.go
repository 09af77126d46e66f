// Package mocks is a part of programs, too, that show how the real ones work.
package mocks

type Depot struct {
	open chan struct{}
}

func (d *Depot) Close() {
	select {
	case <-d.open: // want `two goroutines can both find d.open open and close it twice`
	default:
		close(d.open)
	}
}
