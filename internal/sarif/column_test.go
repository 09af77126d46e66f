package sarif

import "testing"

func TestColumn(t *testing.T) {
	source := []byte("a\nx := \"ü𝄞\"; y\n")
	for _, tt := range []struct{ line, column, want int }{
		{1, 1, 1}, {2, 1, 1}, {2, 7, 7}, {2, 9, 8}, {2, 13, 10}, {2, 16, 13}, {2, 99, 14}, {9, 4, 1},
	} {
		if got := Column(source, tt.line, tt.column); got != tt.want {
			t.Errorf("Column(%d, %d) = %d, want %d", tt.line, tt.column, got, tt.want)
		}
	}
}
