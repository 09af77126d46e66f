package access

import "github.com/atomrace/atomrace/atomicity"

// place is where accesses of one variable stand together.
type place struct{ function, variable string }

// In returns the accesses to the variable in the functions with that name, in
// the order of evaluation, and behind them those that calls make; see [Package.Call].
// The first call for a package goes over all of it.
func (p *Package) In(function, variable string) []*Access {
	if p.places == nil {
		p.places = map[place][]*Access{}
		methods := p.methods()
		for _, f := range p.Functions {
			ordinals := map[Var]int{}
			for _, a := range f.Accesses {
				at := place{f.Name, p.Name(a.Var)}
				p.places[at] = append(p.places[at], a)
				ordinals[a.Var] = max(ordinals[a.Var], a.Ordinal)
			}
			for _, a := range p.calls(f, methods, ordinals) {
				at := place{f.Name, p.Name(a.Var)}
				p.places[at] = append(p.places[at], a)
			}
		}
	}
	return p.places[place{function, variable}]
}

// Find returns the access that a location of atomicity.yaml names: in the
// function with that name, to the variable with that name. It returns nil when
// the code has no such access any more.
//
// Code decides where it is given: an access whose statement still reads the
// same is found again wherever it moved within its function, and Ordinal picks
// one of several that read the same. Without a match by code (the statement was
// edited) the access of the same mode with the same Ordinal is taken, unless its
// statement is quite another one.
func (p *Package) Find(function, variable string, at atomicity.Location) *Access {
	var sameCode []*Access
	var sameOrdinal *Access
	for _, a := range p.In(function, variable) {
		if a.Mode != at.Access {
			continue
		}
		if at.Code != "" && atomicity.SameCode(a.Code(), at.Code) {
			sameCode = append(sameCode, a)
		}
		if a.Ordinal == at.Ordinal && sameOrdinal == nil && atomicity.Similar(a.Code(), at.Code) {
			sameOrdinal = a
		}
	}
	if len(sameCode) == 0 {
		return sameOrdinal
	}
	best := sameCode[0]
	for _, a := range sameCode[1:] {
		if distance(a, at) < distance(best, at) {
			best = a
		}
	}
	return best
}

func distance(a *Access, at atomicity.Location) int {
	return max(a.Ordinal-at.Ordinal, at.Ordinal-a.Ordinal)
}
