//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package dirlock

func try(string) (release func(), taken bool) { return func() {}, false }
