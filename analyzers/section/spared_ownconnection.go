package section

import (
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// ownConnection says whether the entry of a map is looked for and put in at a key that is the connection
// which the function was given, or is made of that alone, and nobody else enters one:
//
//	func (p *proxy) session(conn net.Conn) *session {
//		s, ok := p.get(conn.RemoteAddr().String())
//		if !ok { … p.put(conn.RemoteAddr().String(), s) }
//
// What comes over a connection is served by one goroutine, one after the other, for the most part. Others
// remove the entry when the connection has gone, at any time.
func (f *finding) ownConnection(end *hit) bool {
	fn := f.body.Func
	if f.entry.Key == nil || end.Mode != atomicity.Write || removesEntry(end.Access) || fn == nil {
		return false
	}
	conns, others := map[types.Object]bool{}, map[types.Object]bool{}
	for p := range fn.Signature().Params().Variables() {
		if isConnection(p.Type()) {
			conns[p] = true
		} else {
			others[p] = true
		}
	}
	if !f.comesFrom(f.entry.Key, conns, 0) || f.comesFrom(f.entry.Key, others, 0) {
		return false
	}
	for _, w := range f.ownAccesses(f.entry.Var) {
		if w.Mode == atomicity.Write && w.body != f.body && !removesEntry(w.Access) {
			return false
		}
	}
	return true
}

// isConnection says whether t is a connection of a network, as net.Conn is: it has two ends, and can be
// closed. A socket that packets come to from many others is none.
func isConnection(t types.Type) bool {
	for _, name := range []string{"LocalAddr", "RemoteAddr", "Close"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		fn, ok := obj.(*types.Func)
		if !ok || name != "Close" && (fn.Signature().Results().Len() != 1 || accesses.TypeName(fn.Signature().Results().At(0).Type()) == nil) {
			return false
		}
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "ReadFrom")
	from, ok := obj.(*types.Func)
	return !ok || from.Signature().Results().Len() < 3
}
