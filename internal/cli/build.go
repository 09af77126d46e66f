package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// instrumentFlags is the help text of the flags that test, build and run share.
const instrumentFlags = `
	-races        watch every shared access for data races too, not only the
	              variables with atomic sections
	-deps LIST    instrument dependencies too: import paths, separated by
	              commas, in which ... stands for anything ("all": every one)
	-std LIST     instrument packages of the standard library too, as net/http
	              or text/...; those that the runtime of atomrace is built on,
	              and runtime, sync and internal ones, cannot be ("std": all
	              others)
	-spec FILE    the sections to watch (default: the files atomicity.yaml in
	              force; without one, what infer would find)
	-heal MODE    off, auto, yield or lock: what to do about violations (auto:
	              heal a section once it has been seen broken)
	-noise NOISE  none, or KIND:STRENGTH/DURATION, as random:50/50us, or adaptive: provoke
	              violations (KIND random, variable or location; STRENGTH 0 to
	              1000 per mille; then /sleep, /yield or /busy, if those who
	              are delayed are to do nothing else)
	-budget SHARE what watching may add to the processor time of the program, as 3%:
	              where it would add more, the program is watched by turns; not so
	              sections while any are healed, or a control file may say so
	              (default: none for test and run, 3% for build and install,
	              10% with -races; none watches everything)

The environment variable ATOMRACE configures the instrumented program when it
runs (ATOMRACE="heal=lock noise=random:50/50us log_path=race.log exitcode=66");
-heal, -noise and -budget are what it has where ATOMRACE says nothing.`

var testCommand = command{
	name:    "test",
	usage:   "[flags] [go test flags] [packages] [test flags]",
	summary: "run go test on the instrumented packages",
	help: `Test runs go test with hooks around the accesses of the main module, without
touching its files or go.mod. A test during which a violation is seen fails,
unless ATOMRACE sets exitcode=0; where infer sees no harm in it (the section is a
candidate with a doubt), the test passes and the violation is told of at the end.
What does not compile is left to go test, which says so and tests the other packages.
` + instrumentFlags,
	run: func(ctx context.Context, env *environment, args []string) error {
		in, err := instrument(ctx, env, "test", args)
		if err != nil {
			return err
		}
		cmd := in.goCommand(env, "test", append(append([]string{}, in.Packages...), in.Rest...)...)
		dir, err := filepath.Abs(cmp.Or(in.Dir, "."))
		if err != nil {
			return err
		}
		settings := filesIn(dir, runtimeOptions(in.options.String()+testOptions))
		if doubts := doubtFile(dir, settings); doubts != "" {
			settings = "doubt_path=" + doubts + " " + settings
			defer showDoubts(env.stderr, doubts)
		}
		cmd.Env = append(cmd.Env, "ATOMRACE="+settings)
		return exitStatus(cmd.Run())
	},
}

var buildCommand = command{
	name:    "build",
	usage:   "[flags] [go build flags] [packages]",
	summary: "run go build on the instrumented packages",
	help: `Build runs go build with hooks around the accesses of the main module, without
touching its files or go.mod. The binary needs nothing else on the machine it
runs on; -heal, -noise and -budget are built into it, and ATOMRACE overrides them there.
` + instrumentFlags,
	run: func(ctx context.Context, env *environment, args []string) error {
		in, err := instrument(ctx, env, "build", args)
		if err != nil {
			return err
		}
		return exitStatus(in.goCommand(env, "build", in.Packages...).Run())
	},
}

var installCommand = command{
	name:    "install",
	usage:   "[flags] [go build flags] [packages]",
	summary: "run go install on the instrumented packages",
	help: `Install runs go install with hooks around the accesses of the main module, as
build does; -heal, -noise and -budget are built into the program.
` + instrumentFlags,
	run: func(ctx context.Context, env *environment, args []string) error {
		in, err := instrument(ctx, env, "install", args)
		if err != nil {
			return err
		}
		return exitStatus(in.goCommand(env, "install", in.Packages...).Run())
	},
}

var vetCommand = command{
	name:    "vet",
	usage:   "[go vet flags] [packages]",
	summary: "run go vet with the analyzers of atomrace",
	help: `Vet is go vet -vettool=atomrace: it takes the flags of go vet and, with
-NAME, those of the analyzers (see 'atomrace help'), and go vet remembers what it
has seen already. 'atomrace check' reports the same and prints SARIF besides.`,
	run: runVet,
}

func runVet(_ context.Context, env *environment, args []string) error {
	for _, a := range args {
		if flagName(a) == "vettool" {
			return usagef("-vettool cannot be used: atomrace is the vettool; run 'go vet %s'", a)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	argv := append([]string{"vet", "-vettool=" + self}, args...)
	if len(args) > 0 && flagName(args[0]) == "C" { // go wants it first
		n := 1
		if !strings.Contains(args[0], "=") {
			n = min(2, len(args))
		}
		argv = append(append(append([]string{"vet"}, args[:n]...), "-vettool="+self), args[n:]...)
	}
	cmd := exec.Command("go", argv...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, env.stdout, env.stderr
	return exitStatus(cmd.Run())
}

var runCommand = command{
	name:    "run",
	usage:   "[flags] [go build flags] package [arguments]",
	summary: "build an instrumented program and run it",
	help: `Run builds the program as build does and runs it. It exits with the program's
own status; a program that would exit with 0 but in which a violation was seen
exits with 66, unless ATOMRACE sets another exitcode.
` + instrumentFlags,
	run: runRun,
}

func runRun(ctx context.Context, env *environment, args []string) error {
	in, err := instrument(ctx, env, "run", args)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "atomrace-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, in.program())
	if in.settings.GOOS == "windows" {
		binary += ".exe"
	}
	launcher, err := in.launcher()
	if err != nil {
		return err
	}
	dry := in.isOn("n")
	in.Flags = in.without("exec")
	if err := exitStatus(in.goCommand(env, "build", append([]string{"-o", binary}, in.Packages...)...).Run()); err != nil || dry {
		return err
	}
	// Of a library, go build -o makes an archive.
	if info, err := os.Stat(binary); err != nil || info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is no program: run needs a package main", strings.Join(in.Packages, " "))
	}
	// The program gets its interrupt from the terminal itself and decides
	// what to do about it.
	argv := append(append(launcher, binary), in.Rest...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, env.stdout, env.stderr
	cmd.Env = append(os.Environ(), "ATOMRACE="+runtimeOptions(in.options.String()+" exitcode=66"))
	err = exitStatus(cmd.Run())
	var start *os.PathError
	if s := in.settings; errors.As(err, &start) && len(launcher) == 0 && (s.GOOS != s.GOHOSTOS || s.GOARCH != s.GOHOSTARCH) {
		return fmt.Errorf("%s is for %s/%s and does not run here (%w); leave out GOOS and GOARCH, or name with -exec what runs it", in.program(), s.GOOS, s.GOARCH, start.Err)
	}
	return err
}

// program is the name of the program, by which reports and its own messages call
// it: the last element of what was asked for.
func (in *instrumented) program() string {
	name := in.Packages[0]
	if !filepath.IsAbs(name) {
		if abs, err := filepath.Abs(filepath.Join(in.Dir, name)); err == nil {
			name = abs
		}
	}
	return strings.TrimSuffix(filepath.Base(name), ".go")
}

// launcher is the command that runs the program, as go run chooses it: that of
// -exec, or for another system go_GOOS_GOARCH_exec if there is one.
func (in *instrumented) launcher() ([]string, error) {
	text, _ := in.flag("exec")
	if fields := splitGoflags(text); len(fields) > 0 {
		return fields, nil
	}
	s := in.settings
	if s.GOOS == s.GOHOSTOS && s.GOARCH == s.GOHOSTARCH {
		return nil, nil
	}
	path, err := exec.LookPath("go_" + s.GOOS + "_" + s.GOARCH + "_exec")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, nil
	}
	return []string{path}, err
}

// exitStatus turns the failure of a program that has spoken for itself into its
// exit status.
func exitStatus(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return exitError(exit.ExitCode())
	}
	return err
}

// runtimeOptions puts defaults in front of what the user's ATOMRACE says: of a
// key that stands twice, the runtime takes the last.
func runtimeOptions(defaults string) string {
	return strings.TrimSpace(strings.TrimSpace(defaults) + " " + os.Getenv("ATOMRACE"))
}

// filesIn has the files that settings name be in dir, for tests run in the directories of
// their packages. A name that would have a space or comma in it then stays as it is.
func filesIn(dir, settings string) string {
	fields := strings.FieldsFunc(settings, func(r rune) bool { return strings.ContainsRune(separators, r) })
	for i, field := range fields {
		key, value, _ := strings.Cut(field, "=")
		switch {
		case key != "log_path" && key != "doubt_path" && key != "noise_file" && key != "control":
		case value == "" || filepath.IsAbs(value) || key == "log_path" && (value == "stderr" || value == "stdout"):
		case strings.ContainsAny(dir, separators):
		default:
			fields[i] = key + "=" + dir + string(filepath.Separator) + value
		}
	}
	return strings.Join(fields, " ")
}
