package report

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the merged violations in the schema in which they were read:
// one line each, with the count of all processes, and the processes. The lines
// can be read again.
func (l *Log) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, v := range l.Violations {
		if err := out.Encode(v); err != nil {
			return err
		}
	}
	return nil
}
