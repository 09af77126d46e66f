package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// goSettings are settings of the go command in the user's module.
type goSettings struct{ GOFLAGS, GOVERSION, GOOS, GOARCH, GOHOSTOS, GOHOSTARCH string }

func readGoSettings(dir string) (s goSettings, err error) {
	cmd := exec.Command("go", "env", "-json", "GOFLAGS", "GOVERSION", "GOOS", "GOARCH", "GOHOSTOS", "GOHOSTARCH")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			return s, firstLine(errors.New(string(exit.Stderr)))
		}
		return s, fmt.Errorf("go env: %w", err)
	}
	if err := json.Unmarshal(out, &s); err != nil {
		return s, fmt.Errorf("go env: %w", err)
	}
	return s, nil
}

// loadEnv is the environment in which packages are loaded: of GOFLAGS, only the
// flags that say which files belong to a package. The others are for the build:
// -n would keep the go command from making export data, -cover would have it
// hand out files of its own.
func (s goSettings) loadEnv() ([]string, error) {
	var kept []string
	for _, f := range splitGoflags(s.GOFLAGS) {
		switch name := flagName(f); {
		case name == "overlay":
			return nil, fmt.Errorf("GOFLAGS: %s", overlayRefused)
		case slices.Contains(loadFlags, name):
			kept = append(kept, quoteGoflag(f))
		}
	}
	return append(os.Environ(), "GOFLAGS="+strings.Join(kept, " ")), nil
}

// setTags has all go commands that this process runs use the build tags.
func setTags(tags string) error {
	if tags == "" {
		return nil
	}
	s, err := readGoSettings("")
	if err != nil {
		return err
	}
	return os.Setenv("GOFLAGS", strings.TrimSpace(s.GOFLAGS+" "+quoteGoflag("-tags="+tags)))
}

// splitGoflags splits the value of GOFLAGS as the go command does: at spaces, but
// not between quotes around a flag.
func splitGoflags(text string) []string {
	var flags []string
	for text = strings.TrimLeft(text, " \t\n\r"); text != ""; text = strings.TrimLeft(text, " \t\n\r") {
		if quote := text[0]; quote == '"' || quote == '\'' {
			if end := strings.IndexByte(text[1:], quote); end >= 0 {
				flags = append(flags, text[1:1+end])
				text = text[end+2:]
				continue
			}
		}
		end := strings.IndexAny(text, " \t\n\r")
		if end < 0 {
			end = len(text)
		}
		flags = append(flags, text[:end])
		text = text[end:]
	}
	return flags
}

func quoteGoflag(f string) string {
	switch {
	case !strings.ContainsAny(f, " \t\n\r'\""):
		return f
	case strings.Contains(f, "'"):
		return `"` + f + `"`
	}
	return "'" + f + "'"
}
