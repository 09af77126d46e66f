package atomicity

import (
	"bytes"
	"os"
	"testing"

	"gopkg.in/yaml.v3"
)

// FuzzPlainYAML proves for any text that the quick parser yields what the YAML
// library does, or leaves it to the library.
func FuzzPlainYAML(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	for _, text := range []string{
		valid, "a: |\n  b\n\n   c\n d: e\n", "a: |-\n  b\n# c\nd: [e, 'f''g', \"h\\n\"] # i\n", "a:\n- b: c\n  d:\n  - {e: f}\ng: h#i #j\n",
		"a: b\n  c\n", "a: b: c\n", "a: {b: c, d: [e]}\n#\n", "a: (x y) # z", "a: ü {b}\nc: [ü, d]\n", "a: {b: c}}\n", "a: 'b' c\n", "a:\n\n  b: c\n --- \n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc := &document{data: data}
		if doc.scan() != nil {
			return // refused before either parser sees it
		}
		got := parsePlain(data)
		if got == nil {
			return
		}
		dec := yaml.NewDecoder(bytes.NewReader(data))
		var want, second yaml.Node
		if err := decodeNode(dec, &want); err != nil {
			t.Fatalf("the library says %v of %q", err, data)
		}
		if err := decodeNode(dec, &second); err == nil {
			t.Fatalf("two documents in %q", data)
		}
		equalNodes(t, got, want.Content[0], data)
	})
}

func equalNodes(t *testing.T, got, want *yaml.Node, data []byte) {
	t.Helper()
	if got.Kind != want.Kind || got.Style != want.Style || got.Value != want.Value || got.Line != want.Line || got.Column != want.Column ||
		got.ShortTag() != want.ShortTag() || got.Kind == yaml.ScalarNode && tagOf(got) != want.ShortTag() || want.Anchor != "" || len(got.Content) != len(want.Content) {
		t.Fatalf("got %+v, want %+v in %q", got, want, data)
	}
	for i := range got.Content {
		equalNodes(t, got.Content[i], want.Content[i], data)
	}
}

// What infer writes, and this project's own file, are read the quick way: else
// it would be of no use.
func TestPlainYAMLIsUsed(t *testing.T) {
	own, err := os.ReadFile("../atomicity.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"valid": []byte(valid), "own": own, "ten thousand": tenThousand(t)} {
		if parsePlain(text) == nil {
			t.Errorf("%s is left to the library", name)
		}
	}
}
