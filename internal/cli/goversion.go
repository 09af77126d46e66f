package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"go/version"
	"os"
	"runtime"
)

// tooOld is an error if packages of the given version of Go, such as "go1.27.3", have
// things in them that the compiler which built this binary did not know: what the type
// checker says of them then names everything but the cause. It is asked for after
// something has failed. A version that is none, as that of a compiler under
// development, is no error.
func tooOld(theirs string) error {
	mine := runtime.Version()
	if !version.IsValid(mine) || !version.IsValid(theirs) || version.Compare(version.Lang(mine), version.Lang(theirs)) >= 0 {
		return nil
	}
	if theirs == version.Lang(theirs) { // of a language, not of a toolchain
		theirs += ".0"
	}
	return fmt.Errorf("atomrace was built with %s and cannot read packages of %s: install it again with 'GOTOOLCHAIN=%[2]s go install github.com/atomrace/atomrace/cmd/atomrace@latest'", mine, theirs)
}

// tooOldHere asks the go command in dir for its version.
func tooOldHere(dir string) error {
	s, err := readGoSettings(dir)
	if err != nil {
		return nil // what has failed is said
	}
	return tooOld(s.GOVERSION)
}

// because is the first line of what has failed, or the cause.
func (g *goArgs) because(err error) error { return cmp.Or(g.tooOld(), firstLine(err)) }

// tooOld is tooOldHere for the go command that is to be run.
func (g *goArgs) tooOld() error {
	if g.settings.GOVERSION == "" { // nothing had to be known of it
		return tooOldHere(g.Dir)
	}
	return tooOld(g.settings.GOVERSION)
}

// unreadable is what is handed on in the place of facts about a package for which the
// binary is too old, with the error.
const unreadable = "atomrace: unreadable: "

// refuses says whether the binary is too old for a package that go vet asks about, or
// for one that it imports. Of a package that is only imported it says so to those that
// import it, since the go command has a line for each package that fails; status is
// what the binary is to exit with.
func (u *unit) refuses() (status int, yes bool) {
	var said []byte
	for _, file := range u.PackageVetx {
		if data, err := os.ReadFile(file); err == nil && bytes.HasPrefix(data, []byte(unreadable)) {
			said = data[len(unreadable):]
			break // all come from the same standard library
		}
	}
	if err := tooOld(u.GoVersion); said == nil && err != nil {
		said = []byte(err.Error())
	}
	switch {
	case said == nil:
		return 0, false
	case u.VetxOnly:
		if err := os.WriteFile(u.VetxOutput, append([]byte(unreadable), said...), 0o666); err == nil {
			return 0, true
		}
	}
	fmt.Fprintf(os.Stderr, "%s\n", said)
	return 1, true
}
