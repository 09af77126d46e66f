package facts

import "encoding/binary"

// Writer appends numbers and strings to Data.
type Writer struct{ Data []byte }

// Int writes a number that is not negative.
func (w *Writer) Int(n int) { w.Data = binary.AppendUvarint(w.Data, uint64(n)) }

// Bool writes a truth value.
func (w *Writer) Bool(b bool) {
	if b {
		w.Int(1)
	} else {
		w.Int(0)
	}
}

// String writes a string.
func (w *Writer) String(s string) {
	w.Int(len(s))
	w.Data = append(w.Data, s...)
}

// Reader reads what a Writer wrote. After the end, or in data that no Writer
// wrote, it gives zeros.
type Reader struct{ Data []byte }

// Int reads a number.
func (r *Reader) Int() int {
	n, size := binary.Uvarint(r.Data)
	if size <= 0 || n > 1<<31 {
		r.Data = nil
		return 0
	}
	r.Data = r.Data[size:]
	return int(n)
}

// Bool reads a truth value.
func (r *Reader) Bool() bool { return r.Int() != 0 }

// String reads a string.
func (r *Reader) String() string {
	n := r.Int()
	if n > len(r.Data) {
		r.Data = nil
		return ""
	}
	s := string(r.Data[:n])
	r.Data = r.Data[n:]
	return s
}

// Count reads the length of a list. It is never more than the bytes that are
// left.
func (r *Reader) Count() int { return min(r.Int(), len(r.Data)) }
