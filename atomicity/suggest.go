package atomicity

import (
	"fmt"
	"strings"
)

// Nearest returns the known word that was probably meant by word; ok is false
// when none is near.
func Nearest(word string, known []string) (near string, ok bool) {
	best, distance := "", len(word)/2+1
	for _, k := range known {
		if d := min(editDistance(word, k), editDistance(strings.ToLower(word), k)); d < distance {
			best, distance = k, d
		}
	}
	return best, best != ""
}

// didYouMean turns the nearest word into advice, or lists all the words.
func didYouMean(word string, known []string, otherwise string) string {
	if near, ok := Nearest(word, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// oneOf enumerates words: a, b or c.
func oneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// editDistance is the number of bytes to insert, delete, replace or swap with
// their neighbour to get from a to b. Long words are not compared.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return max(len(a), len(b))
	}
	var older, previous []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, previous, row = previous, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
