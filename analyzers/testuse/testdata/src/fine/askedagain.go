package fine

import "sessions"

type sessionPanel struct{ of *sessions.Session }

func (v *sessionPanel) Waiting() int {
	link := v.of.Current()
	if link == nil {
		return 0
	}
	return link.Waiting()
}

func (v *sessionPanel) WaitedLast() int {
	if v.of.Last() == nil {
		return 0
	}
	return v.of.Last().Waiting()
}
