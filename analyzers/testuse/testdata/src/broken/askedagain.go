package broken

import "sessions"

type sessionView struct{ of sessions.Linked }

func (v *sessionView) Waiting() int {
	if v.of.Current() == nil { // want `another goroutine can make v\.of\.Current\(\) nil`
		return 0
	}
	return v.of.Current().Waiting()
}
