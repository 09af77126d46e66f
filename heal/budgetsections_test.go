//go:build !atomrace_off

package heal

import (
	"path/filepath"
	"testing"
	"time"
)

// Sections rest with the light hooks, but not while anything is healed or might be told to be.
func TestSectionsRest(t *testing.T) {
	spin := func(until func() bool) bool {
		for end := usedTime() + 400*time.Millisecond; usedTime() < end; {
			for range batch {
				unwatched(1)
				allUnwatched(2)
			}
			if until() {
				return true
			}
		}
		return false
	}
	control := "control=" + filepath.Join(t.TempDir(), "none")
	for settings, want := range map[string]struct{ light, all bool }{
		"budget=1%":                              {true, true},
		"budget=0%":                              {true, true},
		"budget=none":                            {},
		"budget=1% heal=auto":                    {true, false},
		"budget=1% heal=lock":                    {true, false},
		"budget=0% heal=yield":                   {true, false},
		"budget=1% " + control:                   {true, false},
		"budget=0% " + control:                   {true, false},
		"budget=0% heal=off noise=random:1/1us":  {},
		"budget=0% heal=auto noise=random:1/1us": {},
	} {
		configured(t, settings)
		if light := spin(func() bool { return unwatched(0) }); light != want.light || allUnwatched(0) != want.all {
			t.Errorf("%s: light hooks rest: %v, all: %v", settings, light, allUnwatched(0))
		}
	}
}

// A policy from the program counts at once, though nobody has met the section yet.
func TestPolicyRouses(t *testing.T) {
	configured(t, "budget=0%")
	if !allUnwatched(0) {
		t.Fatal("it does not rest")
	}
	id := "load-and-store/of " + t.Name()
	SetPolicy(id, PolicyLock)
	if allUnwatched(0) || !unwatched(0) {
		t.Errorf("sections rest: %v, light hooks: %v", allUnwatched(0), unwatched(0))
	}
	SetPolicy(id, PolicyInherit)
	if !allUnwatched(0) {
		t.Error("it does not rest any more")
	}
}
