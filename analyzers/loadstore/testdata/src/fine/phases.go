package fine

import "sync"

type tallied struct {
	counts map[string]*int
	first  string
}

type tallyPart struct {
	tallied
	_ [64]byte
}

func (t *tallied) note(word string, n *int) {
	if t.counts == nil {
		t.counts = map[string]*int{}
		t.first = word
	}
	t.counts[word] = n
}

// merge is run by a goroutine for each part, which has that part for its own.
func (t *tallied) merge(other *tallied) {
	for word, n := range other.counts {
		if mine := t.counts[word]; mine != nil {
			*mine += *n
		} else {
			t.note(word, n)
		}
	}
}

type tallier struct {
	words []string
	parts []tallyPart
}

func (t *tallier) split() {
	t.parts = make([]tallyPart, 8)
	for i, word := range t.words {
		one := 1
		t.parts[i%8].note(word, &one)
	}
}

// The goroutines of the first loop are waited for before those of the second begin.
func Tally(talliers []*tallier) []*tallied {
	var wg sync.WaitGroup
	for _, t := range talliers {
		wg.Go(func() { t.split() })
	}
	wg.Wait()
	into := talliers[0].parts
	for i := range into {
		wg.Go(func() {
			part := &into[i].tallied
			for _, t := range talliers[1:] {
				from := &t.parts[i].tallied
				part.merge(from)
			}
		})
	}
	wg.Wait()
	var list []*tallied
	for i := range into {
		list = append(list, &into[i].tallied)
	}
	return list
}
