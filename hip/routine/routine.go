package routine

// Routine is one callable function of a library.
type Routine struct {
	Name    string // the script's name: the C name less the library's prefix
	Family  *Family
	Library Library
	Type    Type
	Variant Variant
	Wide    bool    // a _64 form: integers are 64 bits wide
	Params  []Param // in C order, without the handle that every routine takes first
	Index   int     // its index in All, for tables that other packages keep

	cName  string
	places *places // of the parameters; nil before they are made
}

// places has the places of parameters in Routine.Params, from 1: by slot, and for each array by role. 0 is none.
type places struct {
	bySlot [SlotCount]uint8
	byRole [SlotCount][roleCount]uint8
	slots  []Slot // of the parameters in C order, in little memory, for code that needs nothing else of each call
}

// newPlaces returns the places of parameters.
func newPlaces(params []Param) *places {
	ps := places{slots: make([]Slot, len(params))}
	for i := len(params) - 1; i >= 0; i-- {
		p := &params[i]
		ps.slots[i] = p.Slot
		ps.bySlot[p.Slot], ps.byRole[p.Of][p.Role] = uint8(i+1), uint8(i+1)
	}
	return &ps
}

// CName returns the name that the library exports.
func (r *Routine) CName() string { return r.cName }

// Param finds a parameter by its C name.
func (r *Routine) Param(name string) (*Param, bool) {
	for i := range r.Params {
		if r.Params[i].Name == name {
			return &r.Params[i], true
		}
	}
	return nil, false
}

// ParamAt finds the parameter that fills a slot.
func (r *Routine) ParamAt(s Slot) (*Param, bool) {
	return r.at(r.places.bySlot[s])
}

// Companion finds the leading dimension, increment or stride of an array.
func (r *Routine) Companion(array Slot, role Role) (*Param, bool) {
	return r.at(r.places.byRole[array][role])
}

// at returns the parameter in a place.
func (r *Routine) at(place uint8) (*Param, bool) {
	if place == 0 {
		return nil, false
	}
	return &r.Params[place-1], true
}
