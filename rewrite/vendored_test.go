package rewrite

import (
	"os"
	"strings"
	"testing"
)

func TestHealVersionIsThatOfTheModule(t *testing.T) {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\ngo " + strings.TrimPrefix(healVersion, "go"); !strings.Contains(string(text), want+"\n") && !strings.Contains(string(text), want+".") {
		t.Errorf("go.mod does not say %q", want)
	}
}
