package cli

import "testing"

// The command that has a run again holds all that the run depends on, but the seed.
func TestFuzzCommand(t *testing.T) {
	for _, c := range []struct {
		args                 []string
		more, subtests, rest string
	}{
		{[]string{"."}, " .", "", ""},
		{[]string{"-race", "./store", "-run", "TestX/one two/three", "-short"}, " -race ./store -short", "/one two/three", ""},
		{[]string{"-tags", "a b", ".", "-args", "-workers", "3", "it's"}, " '-tags=a b' .", "", ` -args -workers 3 'it'\''s'`},
	} {
		g, err := splitGoArgs("test", c.args)
		if err != nil {
			t.Fatal(err)
		}
		if g.Rest, err = afterArgs(g.Rest); err != nil {
			t.Fatal(err)
		}
		f := &fuzzing{}
		f.command(g, g.without(testBinaryFlags...))
		if f.more != c.more || f.subtests != c.subtests || f.args != c.rest {
			t.Errorf("%q: %q, %q, %q", c.args, f.more, f.subtests, f.args)
		}
	}
}
