//go:build !atomrace_off

package heal

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// startedHere starts a goroutine on the line that it returns.
func startedHere(do func()) int {
	done := make(chan bool)
	_, _, line, _ := runtime.Caller(0)
	go func() { do(); close(done) }()
	<-done
	return line + 1
}

func TestCreation(t *testing.T) {
	var c, deep *Creation
	line := startedHere(func() { c = creation() })
	startedHere(func() { deep = nested(300) })
	for _, c := range []*Creation{c, deep} {
		if c == nil || !strings.HasSuffix(c.Function, "heal.startedHere") || !strings.HasSuffix(c.File, "/creation_test.go") || c.Line != line || c.Goroutine != goroutineID() {
			t.Errorf("%+v, want line %d", c, line)
		}
	}
	if d := c.copied(); *d != *c || d == c {
		t.Errorf("copy %+v", d)
	}
}

func nested(depth int) *Creation {
	if depth == 0 {
		return creation()
	}
	return nested(depth - 1)
}

func TestParseCreation(t *testing.T) {
	for traceback, want := range map[string]string{
		"goroutine 1 [running]:\nmain.main()\n\t/x/main.go:3 +0x1\n":                                                              "none",
		"goroutine 7 [running]:\nmain.f()\n\t/x/main.go:3 +0x1\ncreated by main.main in goroutine 1\n\t/x/a b/main.go:12 +0x5c\n": "main.main /x/a b/main.go 12 1",
		"goroutine 7 [running]:\nmain.f()\n\t/x/main.go:3 +0x1\ncreated by x.(*T).f[...].func1 in goroutine 12\n\tC:/y/t.go:9\n":  "x.(*T).f[...].func1 C:/y/t.go 9 12",
		"goroutine 7 [running]:\nmain.f()\n\t/x/main.go:3 +0x1\ncreated by main.main\n\t/x/main.go:12 +0x5c":                      "main.main /x/main.go 12 0",
		"goroutine 7 [running]:\nmain.f()\n\t/x/main.go:3 +0x1\ncreated by main.main in goroutine 1":                              "main.main  0 1",
	} {
		got := "none"
		if c := parseCreation(traceback); c != nil {
			got = fmt.Sprint(c.Function, " ", c.File, " ", c.Line, " ", c.Goroutine)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", traceback, got, want)
		}
	}
}

// A location gets so many tracebacks, however often it breaks in.
func TestCreationsAreFew(t *testing.T) {
	l := newProgram(t).at(Write)
	n := 0
	startedHere(func() {
		for range 10 * creationsPerLocation {
			if creationAt(l) != nil {
				n++
			}
		}
	})
	if n != creationsPerLocation {
		t.Errorf("%d tracebacks", n)
	}
}
