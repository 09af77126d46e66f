package pattern_test

import (
	"sync"
	"testing"

	"github.com/atomrace/atomrace/internal/pattern"
)

func TestPattern(t *testing.T) {
	p := pattern.New(`^(a|b)+$`)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			if !p.MatchString("abba") || p.MatchString("abc") {
				t.Error("it matches otherwise than regexp")
			}
		})
	}
	readers.Wait()
	if got := p.Regexp().FindStringSubmatch("ab"); len(got) != 2 || got[1] != "b" || p.String() != `^(a|b)+$` {
		t.Errorf("%q, %s", got, p)
	}
}

func TestMistake(t *testing.T) {
	p := pattern.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	p.MatchString("")
}
