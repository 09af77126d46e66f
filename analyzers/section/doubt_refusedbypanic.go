package section

import (
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// refusesByPanic says whether the function ends the goroutine or the program because the key is
// there already, and goes on where it has stored it:
//
//	if _, ok := kinds.Load(name); ok { panic("registered already: " + name) }
//	kinds.Store(name, k)
//
// Of two that find nothing neither ends, and what the first one has stored is lost.
func (f *finding) refusesByPanic(end *hit) bool {
	if end.Mode != atomicity.Write || end.Method == "delete" || end.Method == "Delete" || f.entry.Kind != access.MapElement && f.entry.Kind != access.SyncMap {
		return false
	}
	for _, b := range f.body.CFG.Blocks {
		if events := f.body.Events[b.Index]; b.Live && len(b.Succs) == 0 && len(events) > 0 && events[len(events)-1].Kind == accesses.OnCall {
			if f.ifFound(int(b.Index), end.block) {
				return true
			}
		}
	}
	return false
}

// registersOnce says whether the function makes something known to its package that, by its name and since
// it panics where the key is there already, each of its callers does once, mostly when the program begins.
func (f *finding) registersOnce(end *hit) bool {
	fn := f.body.Outermost().Func
	return fn != nil && fn.Signature().Recv() == nil && strings.HasPrefix(fn.Name(), "Register") && f.refusesByPanic(end)
}
