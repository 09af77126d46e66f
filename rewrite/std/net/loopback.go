//go:build ignore

package net

import (
	"atomrace/sched"
	"context"
	"internal/poll"
	"os"
	"sync"
	"syscall"
	"time"
)

// Added by atomrace to a controlled build: TCP over the loopback interface stays within the
// process, where the scheduler sees it. A goroutine under control that listens there, or at
// no address in particular, does so inside; who dials such a listener is connected to it
// in memory, and whatever else is dialled goes to the kernel.

// atomraceControlled says whether the process is under control at all.
var atomraceControlled = os.Getenv(sched.Variable) != ""

// atomraceFirstPort is where the ports begin that a listener or connection gets which asks for none.
const atomraceFirstPort = 40001

// atomraceNetwork is what listens inside.
var atomraceNetwork struct {
	mu        sync.Mutex
	listeners map[int][]*netFD // by port
	known     map[int]bool     // ports at which somebody has listened, or that were given away
	last      int              // port given away
}

// An atomraceEnd is what a netFD is inside: a connection, or a listener.
type atomraceEnd struct {
	socket   *sched.Socket
	backlog  *sched.Backlog
	ipv6only bool // of a listener
	abort    bool // is Close to reset the connection?
}

// atomraceSocket is internetSocket for TCP; inside is false if the kernel is to do it.
func atomraceSocket(ctx context.Context, network string, laddr, raddr sockaddr, proto int, mode string,
	control func(context.Context, string, string, syscall.RawConn) error) (fd *netFD, inside bool, err error) {
	if !atomraceControlled {
		return nil, false, nil
	}
	local, _ := laddr.(*TCPAddr)
	family, ipv6only := favoriteAddrFamily(network, laddr, raddr, mode)
	if mode == "listen" {
		if control != nil || !sched.Inside() || !local.isWildcard() && !local.IP.IsLoopback() {
			return nil, false, nil
		}
		fd, err := atomraceListen(network, local, family, ipv6only)
		return fd, true, err
	}
	remote, _ := raddr.(*TCPAddr)
	if remote == nil {
		return nil, false, nil
	}
	if remote.isWildcard() {
		remote = remote.toLocal(network).(*TCPAddr)
	}
	listener, known := atomraceFind(remote)
	switch {
	case ctx.Err() != nil && known:
		return nil, true, mapErr(ctx.Err())
	case listener != nil:
		fd, err = atomraceDial(ctx, network, local, remote, family, listener, control)
		return fd, true, err
	case known && remote.IP.IsLoopback():
		return nil, true, os.NewSyscallError("connect", syscall.ECONNREFUSED)
	case remote.IP.IsLoopback(): // the kernel knows at once
		sched.Stay(true)
		defer sched.Stay(false)
		fd, err = socket(ctx, network, family, syscall.SOCK_STREAM, proto, ipv6only, laddr, raddr, control)
		return fd, true, err
	}
	return nil, false, nil
}

func atomraceListen(network string, local *TCPAddr, family int, ipv6only bool) (*netFD, error) {
	addr := new(TCPAddr)
	if local != nil {
		*addr = *local
	}
	switch {
	case !addr.isWildcard():
	case family == syscall.AF_INET:
		addr.IP = IPv4zero
	default:
		addr.IP = IPv6zero
	}
	addr.IP = atomraceIP(addr.IP, family)
	n := &atomraceNetwork
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listeners == nil {
		n.listeners = make(map[int][]*netFD)
	}
	if addr.Port == 0 {
		addr.Port = atomraceFreePort()
	}
	for _, other := range n.listeners[addr.Port] {
		if a := other.laddr.(*TCPAddr); a.IP.Equal(addr.IP) || a.isWildcard() || addr.isWildcard() {
			return nil, os.NewSyscallError("bind", syscall.EADDRINUSE)
		}
	}
	fd := atomraceFD(network, family, addr, nil)
	fd.inside = &atomraceEnd{backlog: sched.NewBacklog(), ipv6only: ipv6only}
	atomraceKnow(addr.Port)
	n.listeners[addr.Port] = append(n.listeners[addr.Port], fd)
	return fd, nil
}

// atomraceFreePort returns a port that nobody has had. The network is locked.
func atomraceFreePort() int {
	n := &atomraceNetwork
	for {
		if n.last++; n.last < atomraceFirstPort || n.last > 65535 {
			n.last = atomraceFirstPort
		}
		if len(n.listeners[n.last]) == 0 {
			return n.last
		}
	}
}

func atomraceKnow(port int) {
	if atomraceNetwork.known == nil {
		atomraceNetwork.known = make(map[int]bool)
	}
	atomraceNetwork.known[port] = true
}

// atomraceFind returns who listens at the address, and whether somebody listens or has
// listened at its port.
func atomraceFind(addr *TCPAddr) (listener *netFD, known bool) {
	n := &atomraceNetwork
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, fd := range n.listeners[addr.Port] {
		a := fd.laddr.(*TCPAddr)
		is4 := addr.IP.To4() != nil
		switch {
		case a.IP.Equal(addr.IP):
			return fd, true
		case !a.isWildcard() || is4 && fd.inside.ipv6only || !is4 && fd.family == syscall.AF_INET:
		case addr.IP.IsLoopback() || atomraceIsOwn(addr.IP):
			return fd, true
		}
	}
	return nil, n.known[addr.Port]
}

// atomraceIsOwn says whether an interface of the machine has the address.
func atomraceIsOwn(ip IP) bool {
	list, _ := InterfaceAddrs()
	for _, a := range list {
		if own, ok := a.(*IPNet); ok && own.IP.Equal(ip) {
			return true
		}
	}
	return false
}

func atomraceDial(ctx context.Context, network string, local, remote *TCPAddr, family int, listener *netFD,
	control func(context.Context, string, string, syscall.RawConn) error) (*netFD, error) {
	from := &TCPAddr{IP: remote.IP, Zone: remote.Zone}
	if local != nil {
		from.Port = local.Port
		if !local.isWildcard() {
			from.IP = local.IP
		}
	}
	if from.Port == 0 {
		atomraceNetwork.mu.Lock()
		from.Port = atomraceFreePort()
		atomraceNetwork.mu.Unlock()
	}
	to := *remote
	from.IP, to.IP = atomraceIP(from.IP, family), atomraceIP(to.IP, family)
	a, b := sched.Connect()
	fd := atomraceFD(network, family, from, &to)
	peer := atomraceFD(listener.net, listener.family, &to, from)
	fd.inside, peer.inside = &atomraceEnd{socket: a}, &atomraceEnd{socket: b}
	if control != nil {
		if err := control(ctx, fd.ctrlNetwork(), remote.String(), newRawConn(fd)); err != nil {
			return nil, err
		}
	}
	if !listener.inside.backlog.Put(peer) {
		return nil, os.NewSyscallError("connect", syscall.ECONNREFUSED)
	}
	return fd, nil
}

// atomraceIP has the length that addresses of the kernel have.
func atomraceIP(ip IP, family int) IP {
	if ip4 := ip.To4(); ip4 != nil && family == syscall.AF_INET {
		return ip4
	}
	return ip.To16()
}

func atomraceFD(network string, family int, local, remote *TCPAddr) *netFD {
	fd := &netFD{
		pfd: poll.FD{Sysfd: -1}, family: family, sotype: syscall.SOCK_STREAM, net: network,
		isConnected: remote != nil, laddr: local,
	}
	if remote != nil {
		fd.raddr = remote
	}
	return fd
}

// atomraceControl is Control of a RawConn: what it sets is set, for a socket that nobody uses.
func atomraceControl(fd *netFD, f func(uintptr)) error {
	s, err := sysSocket(fd.family, fd.sotype, 0)
	if err != nil {
		return err
	}
	defer poll.CloseFunc(s)
	f(uintptr(s))
	return nil
}

// atomraceError is an error of the scheduler's as package net has it.
func atomraceError(err error) error {
	if err == sched.ErrClosed {
		return poll.ErrNetClosing
	}
	return err
}

func (x *atomraceEnd) accept() (*netFD, error) {
	if x.backlog == nil {
		return nil, os.NewSyscallError("accept", syscall.EINVAL)
	}
	fd, err := x.backlog.Accept()
	if err != nil {
		return nil, atomraceError(err)
	}
	return fd.(*netFD), nil
}

func (x *atomraceEnd) read(p []byte) (int, error) {
	if x.socket == nil {
		return 0, os.NewSyscallError("read", syscall.ENOTCONN)
	}
	n, err := x.socket.Read(p)
	return n, atomraceError(err)
}

func (x *atomraceEnd) write(p []byte) (int, error) {
	if x.socket == nil {
		return 0, os.NewSyscallError("write", syscall.EPIPE)
	}
	n, err := x.socket.Write(p)
	return n, atomraceError(err)
}

func (x *atomraceEnd) writeBuffers(v *Buffers) (int64, error) {
	var whole []byte
	for _, b := range *v {
		whole = append(whole, b...)
	}
	n, err := x.write(whole)
	v.consume(int64(n))
	return int64(n), err
}

func (x *atomraceEnd) close(fd *netFD) error {
	if x.socket != nil {
		return atomraceError(x.socket.Close(x.abort))
	}
	left, err := x.backlog.Close()
	if err != nil {
		return atomraceError(err)
	}
	n := &atomraceNetwork
	n.mu.Lock()
	port := fd.laddr.(*TCPAddr).Port
	var others []*netFD
	for _, other := range n.listeners[port] {
		if other != fd {
			others = append(others, other)
		}
	}
	n.listeners[port] = others
	n.mu.Unlock()
	for _, c := range left {
		c.(*netFD).inside.socket.Close(true)
	}
	return nil
}

func (x *atomraceEnd) shutdown(how int) error {
	switch {
	case x.socket == nil:
		return os.NewSyscallError("shutdown", syscall.ENOTCONN)
	case how == syscall.SHUT_RD:
		return atomraceError(x.socket.CloseRead())
	}
	return atomraceError(x.socket.CloseWrite())
}

func (x *atomraceEnd) setLinger(sec int) error {
	x.abort = sec == 0
	return nil
}

func (x *atomraceEnd) setReadDeadline(t time.Time) error {
	if x.socket == nil {
		return atomraceError(x.backlog.SetDeadline(t))
	}
	return atomraceError(x.socket.SetReadDeadline(t))
}

func (x *atomraceEnd) setWriteDeadline(t time.Time) error {
	if x.socket == nil {
		return nil
	}
	return atomraceError(x.socket.SetWriteDeadline(t))
}

func (x *atomraceEnd) setDeadline(t time.Time) error {
	if err := x.setReadDeadline(t); err != nil {
		return err
	}
	return x.setWriteDeadline(t)
}
