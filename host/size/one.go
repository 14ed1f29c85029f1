package size

import (
	"errors"

	"roclua/workspace/footprint"
)

// One returns what one call needs on a target, without the warnings of a Query. Errors do
// not name the call.
func One(t footprint.Target, text string, buffers bool) (Entry, error) {
	c, err := footprint.Parse(text)
	if err != nil {
		return Entry{}, err
	}
	s, err := footprint.NewSequence([]*footprint.Call{c}, nil)
	if err != nil {
		return Entry{}, errors.Unwrap(err) // without the number of the call
	}
	n, err := s.Need(t, 0, nil)
	var refused *footprint.Refusal
	if errors.As(err, &refused) {
		refused.Call = 0
	}
	if err != nil {
		return Entry{}, err
	}
	n.Defects = s.Defects(t, 0, nil)
	return entryOf(t, c, &n, buffers), nil
}
