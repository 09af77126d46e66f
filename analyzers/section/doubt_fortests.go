package section

import (
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/internal/pattern"
)

const onlyTests = "the package is for tests"

// forTests says whether the package is what tests are made of: by its name, as httptest is,
// or by its place, as internal/testutil. Nobody else can import that one, and what its tests
// do not do at the same time nobody does.
func forTests(pkg *types.Package) bool {
	if strings.HasSuffix(pkg.Name(), "test") && pkg.Name() != "test" {
		return true
	}
	return keptForTests(pkg.Path())
}

// keptForTests says whether the path goes by way of internal to a directory for tests.
func keptForTests(path string) bool {
	elements := strings.Split(path, "/")
	inside := slices.Index(elements, "internal")
	return inside >= 0 && slices.ContainsFunc(elements[inside:], forTesting.MatchString)
}

var forTesting = pattern.New(`^(?i:test(s|ing|utils?|helpers?|kit|env)?|e2e)$`)

// helpsTests says whether a directory of the path is named as one for the helpers of tests,
// wherever it is: others can import it, to test what they make of the module. What such a
// package serves or starts in a loop is used by several all the same.
func helpsTests(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), helpers.MatchString)
}

var helpers = pattern.New(`^(?i:([a-z]+_)?test(ing|_?utils?|_?helpers?|_?nodes?|kit))$`)
