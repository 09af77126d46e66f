package cli

import (
	"context"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/rewrite"
)

// inferOnce is infer, with nothing known before, for packages of which key names all that can be inferred:
// what was found is kept under that name in the cache. With an empty name or
// cache nothing is kept. If the packages had to be loaded for that, they are returned,
// for the rewriter. Where packages that fail may be left, nothing is inferred of them; that is
// not kept.
func inferOnce(ctx context.Context, g *goArgs, cache, key string, leave bool) (*atomicity.Spec, []*packages.Package, error) {
	file := ""
	if cache != "" && key != "" {
		file = filepath.Join(cache, "inferred", key+".yaml")
		if spec, err := atomicity.Load(file); err == nil {
			rewrite.MarkUsed(file)
			return spec, nil, nil
		}
	}
	const mode = packages.LoadSyntax | rewrite.LoadMode
	var pkgs []*packages.Package
	var err error
	if leave {
		all := false
		if pkgs, all, err = loadSound(ctx, g, mode); !all {
			file = ""
		}
	} else {
		pkgs, err = load(ctx, g, mode)
	}
	if err != nil {
		return nil, nil, err
	}
	spec, err := inferIn(ctx, pkgs, atomicity.New(), defaultPatterns)
	if err != nil {
		return nil, nil, err
	}
	// A cache that cannot be written to is reported when it is needed.
	if file != "" && os.MkdirAll(filepath.Dir(file), 0o777) == nil {
		_ = os.Remove(file) // it cannot be read, or is not there
		_ = spec.Save(file)
	}
	return spec, pkgs, nil
}
