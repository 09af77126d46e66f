package atomrace

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestOtherSystems checks the types of the runtimes, and of the command, as other systems
// compile them. It reads everything from source, which takes a tenth of what building it does.
func TestOtherSystems(t *testing.T) {
	for _, on := range []struct{ os, arch string }{{"windows", "amd64"}, {"darwin", "arm64"}, {"linux", "arm64"}, {"freebsd", "386"}} {
		t.Run(on.os+"/"+on.arch, func(t *testing.T) {
			env := append(os.Environ(), "GOOS="+on.os, "GOARCH="+on.arch, "CGO_ENABLED=0")
			pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Env: env}, "./heal", "./sched")
			if err != nil {
				t.Fatal(err)
			}
			packages.Visit(pkgs, nil, func(p *packages.Package) {
				for _, e := range p.Errors {
					t.Error(e)
				}
			})
		})
	}
}
