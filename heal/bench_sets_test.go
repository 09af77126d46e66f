//go:build !atomrace_off

package heal

import (
	"testing"
	"unsafe"
)

// A section over a set of two variables, from the read of the one to the write of the
// other, watched and healed; and a single read of a member outside any section.
func BenchmarkSetSection(b *testing.B)       { setSection(b, "") }
func BenchmarkSetSectionHealed(b *testing.B) { setSection(b, "heal=lock") }
func BenchmarkSetRead(b *testing.B)          { setRead(b, "") }
func BenchmarkSetReadHealed(b *testing.B)    { setRead(b, "heal=lock") }

var sharedAccount = new(account)

func setSection(b *testing.B, settings string) {
	benchmarked(b, settings)
	p := newAccountProgram("bench/" + b.Name())
	entry, end := p.of(&p.balance, Read, p.together), p.of(&p.version, Write, End{Section: p.together, Allow: Read})
	x := sharedAccount
	b.ReportAllocs()
	for b.Loop() {
		func() {
			f := Begin()
			defer f.End()
			v := Load(&f, entry, &x.balance)
			f.Before(end, unsafe.Pointer(&x.version), unsafe.Sizeof(x.version))
			x.version = v
			f.After(end, unsafe.Pointer(&x.version))
		}()
	}
}

func setRead(b *testing.B, settings string) {
	benchmarked(b, settings)
	p := newAccountProgram("bench/" + b.Name())
	entry, other := p.of(&p.balance, Read, p.together), p.of(&p.version, Read)
	x := sharedAccount
	framed(func(f *Frame) { _ = Load(f, entry, &x.balance) }) // makes the section known
	b.ReportAllocs()
	for b.Loop() {
		f := Begin()
		_ = Load(&f, other, &x.version)
	}
}

// benchmarked puts settings in force for a benchmark.
func benchmarked(b *testing.B, settings string) {
	c := defaults()
	if err := c.parse(settings); err != nil {
		b.Fatal(err)
	}
	force(c)
	b.Cleanup(func() { force(defaults()) })
}
