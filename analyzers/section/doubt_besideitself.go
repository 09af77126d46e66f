package section

import "go/types"

// besideItself says whether some function runs the method searched on one object in two
// goroutines at once; see [shared.Result.BesideItself].
func (s *search) besideItself() bool {
	fn := s.body.Outermost().Func
	is, known := s.besides[fn]
	if !known {
		if s.besides == nil {
			s.besides = map[*types.Func]bool{}
		}
		is = s.shared.BesideItself(s.body)
		s.besides[fn] = is
	}
	return is
}
