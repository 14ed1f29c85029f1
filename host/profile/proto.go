package profile

import "errors"

// Packages that implement profile.proto compile regular expressions or load type descriptors at program start, even if
// no profile is written. This file has the part of profile.proto that the program uses.

// Field numbers of profile.proto.
const (
	profileSampleType    = 1
	profileSample        = 2
	profileMapping       = 3
	profileLocation      = 4
	profileFunction      = 5
	profileString        = 6
	profileDuration      = 10
	profilePeriodType    = 11
	profileComment       = 13
	profileDefaultSample = 14

	typeName = 1
	typeUnit = 2

	sampleLocations = 1
	sampleValues    = 2
	sampleLabel     = 3

	labelKey = 1
	labelStr = 2

	locationID   = 1
	locationLine = 4

	lineFunction = 1
	lineNumber   = 2

	functionID        = 1
	functionName      = 2
	functionSystem    = 3
	functionFile      = 4
	functionFirstLine = 5
)

// reference is the kind of entity a number refers to: a string by its index, or a message by its id. 0 means no
// message, or the empty string.
type reference int

const (
	toNothing reference = iota
	toString
	toMapping
	toLocation
	toFunction
	references
)

// field is a field of a message, with the kind of its references or the fields of its messages.
type field struct {
	to     reference
	list   bool // of numbers, possibly packed
	fields []field
}

// The fields with references, by number. Other fields have none.
var (
	profileFields = []field{
		profileSampleType:    {fields: typeFields},
		profileSample:        {fields: sampleFields},
		profileMapping:       {fields: []field{1: {to: toMapping}, 5: {to: toString}, 6: {to: toString}}},
		profileLocation:      {fields: locationFields},
		profileFunction:      {fields: functionFields},
		7:                    {to: toString}, // frames to drop, and to keep
		8:                    {to: toString},
		profilePeriodType:    {fields: typeFields},
		profileComment:       {to: toString, list: true},
		profileDefaultSample: {to: toString},
		15:                   {to: toString}, // address of a document
	}
	typeFields   = []field{typeName: {to: toString}, typeUnit: {to: toString}}
	sampleFields = []field{
		sampleLocations: {to: toLocation, list: true},
		sampleValues:    {list: true},
		sampleLabel:     {fields: []field{labelKey: {to: toString}, labelStr: {to: toString}, 4: {to: toString}}},
	}
	locationFields = []field{locationID: {to: toLocation}, 2: {to: toMapping},
		locationLine: {fields: []field{lineFunction: {to: toFunction}}}}
	functionFields = []field{functionID: {to: toFunction}, functionName: {to: toString}, functionSystem: {to: toString},
		functionFile: {to: toString}}
)

// fieldAt returns the field with a number.
func fieldAt(fields []field, number int) field {
	if number < len(fields) {
		return fields[number]
	}
	return field{}
}

// places counts the entries before a profile's own, by kind of reference.
type places [references]uint64

// shifter copies messages, and shifts their references past the entries of other profiles.
type shifter struct {
	before  places
	highest places // highest reference copied
}

var errProfile = errors.New("the data are not a profile")

// copy copies the fields of a message.
func (s *shifter) copy(to *message, from message, fields []field) error {
	for len(from) > 0 {
		v, rest, ok := from.next()
		if !ok {
			return errProfile
		}
		if err := s.copyField(to, v, fieldAt(fields, v.field)); err != nil {
			return err
		}
		from = rest
	}
	return nil
}

func (s *shifter) copyField(to *message, v value, f field) error {
	switch {
	case v.data == nil:
		to.number(v.field, s.shift(f.to, v.number))
	case f.fields != nil:
		var inner message
		if err := s.copy(&inner, v.data, f.fields); err != nil {
			return err
		}
		to.bytes(v.field, inner)
	case f.list:
		list, ok := unpack(v.data)
		if !ok {
			return errProfile
		}
		for i, n := range list {
			list[i] = s.shift(f.to, n)
		}
		to.numbers(v.field, list)
	default:
		to.bytes(v.field, v.data)
	}
	return nil
}

func (s *shifter) shift(to reference, n uint64) uint64 {
	if to == toNothing || n == 0 {
		return n
	}
	s.highest[to] = max(s.highest[to], n)
	return s.before[to] + n
}
