package rewrite

import (
	_ "embed"
	"fmt"
	"strings"
)

// Package net of a controlled build has the loopback interface within the process: see
// std/net/loopback.go, which is added to it, and sched.Socket.

//go:embed std/net/loopback.go
var loopback string

// hasLoopback says for which operating systems the prologues below are written.
func hasLoopback(goos string) bool { return goos == "linux" || goos == "darwin" }

func loopbackSource() []byte {
	_, text, _ := strings.Cut(loopback, "\n\n") // without the build tag
	return []byte(text)
}

// loopbackField is added to a struct, in the line where that begins.
var loopbackField = struct{ file, structure, text string }{"src/net/fd_posix.go", "netFD", "inside *atomraceEnd"}

// inside is a prologue for a function of package net: text is what it does for a
// connection or listener that is inside, whose netFD is fd.
func inside(file, function, fd, text string) prologue {
	return prologue{pkg: "net", file: file, function: function,
		text: fmt.Sprintf("if atomrace := %s.inside; atomrace != nil { %s }", fd, text)}
}

var netPrologues = []prologue{
	{pkg: "net", file: "ipsock_posix.go", function: "internetSocket",
		text: "if $5 == syscall.SOCK_STREAM { if fd, inside, err := atomraceSocket($1, $2, $3, $4, $6, $7, $8); inside { return fd, err } }"},
	inside("tcpsock_posix.go", "(*TCPListener).accept", "$0.fd",
		"fd, err := atomrace.accept(); if err != nil { return nil, err }; return newTCPConn(fd, $0.lc.KeepAlive, $0.lc.KeepAliveConfig, testPreHookSetKeepAlive, testHookSetKeepAlive), nil"),
	inside("tcpsock_posix.go", "(*TCPListener).file", "$0.fd", "return nil, os.NewSyscallError(\"dup\", syscall.ENOTSUP)"),
	inside("net.go", "(*conn).File", "$0.fd", "return nil, &OpError{Op: \"file\", Net: $0.fd.net, Source: $0.fd.laddr, Addr: $0.fd.raddr, Err: syscall.ENOTSUP}"),
	inside("fd_posix.go", "(*netFD).Close", "$0", "return atomrace.close($0)"),
	inside("fd_posix.go", "(*netFD).shutdown", "$0", "return atomrace.shutdown($1)"),
	inside("fd_posix.go", "(*netFD).Read", "$0", "return atomrace.read($1)"),
	inside("fd_posix.go", "(*netFD).Write", "$0", "return atomrace.write($1)"),
	inside("fd_posix.go", "(*netFD).SetDeadline", "$0", "return atomrace.setDeadline($1)"),
	inside("fd_posix.go", "(*netFD).SetReadDeadline", "$0", "return atomrace.setReadDeadline($1)"),
	inside("fd_posix.go", "(*netFD).SetWriteDeadline", "$0", "return atomrace.setWriteDeadline($1)"),
	inside("writev_unix.go", "(*netFD).writeBuffers", "$0", "return atomrace.writeBuffers($1)"),
	inside("sockopt_posix.go", "setReadBuffer", "$1", "return nil"),
	inside("sockopt_posix.go", "setWriteBuffer", "$1", "return nil"),
	inside("sockopt_posix.go", "setKeepAlive", "$1", "return nil"),
	inside("sockopt_posix.go", "setLinger", "$1", "return atomrace.setLinger($2)"),
	inside("tcpsockopt_posix.go", "setNoDelay", "$1", "return nil"),
	inside("tcpsockopt_unix.go", "setKeepAliveIdle", "$1", "return nil"),
	inside("tcpsockopt_unix.go", "setKeepAliveInterval", "$1", "return nil"),
	inside("tcpsockopt_unix.go", "setKeepAliveCount", "$1", "return nil"),
	inside("tcpsockopt_darwin.go", "setKeepAliveIdle", "$1", "return nil"),
	inside("tcpsockopt_darwin.go", "setKeepAliveInterval", "$1", "return nil"),
	inside("tcpsockopt_darwin.go", "setKeepAliveCount", "$1", "return nil"),
	inside("rawconn.go", "(*rawConn).Control", "$0.fd", "return atomraceControl($0.fd, $1)"),
	inside("rawconn.go", "(*rawConn).Read", "$0.fd", "return &OpError{Op: \"raw-read\", Net: $0.fd.net, Source: $0.fd.laddr, Addr: $0.fd.raddr, Err: syscall.ENOTSUP}"),
	inside("rawconn.go", "(*rawConn).Write", "$0.fd", "return &OpError{Op: \"raw-write\", Net: $0.fd.net, Source: $0.fd.laddr, Addr: $0.fd.raddr, Err: syscall.ENOTSUP}"),
	inside("rawconn.go", "(*rawConn).PollFD", "$0.fd", "return nil"),
	// What the kernel copies from one descriptor to another goes through the program.
	{pkg: "net", file: "tcpsock_posix.go", function: "(*TCPConn).readFrom", text: "if atomraceControlled { return genericReadFrom($0, $1) }"},
	{pkg: "net", file: "tcpsock_posix.go", function: "(*TCPConn).writeTo", text: "if atomraceControlled { return genericWriteTo($0, $1) }"},
}
