package fine

import (
	"bytes"
	"io"
	"sync"
)

var squeezeBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// squeeze gives the buffer back where it fails, and returns nothing that anybody looks at then.
func squeeze(from io.Reader) (squeezed *bytes.Buffer, size int, err error) {
	squeezed = squeezeBuffers.Get().(*bytes.Buffer)
	if _, err = squeezed.ReadFrom(from); err != nil {
		squeezeBuffers.Put(squeezed)
		return
	}
	size = squeezed.Len()
	return
}
