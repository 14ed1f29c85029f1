package config

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"roclua/internal/nearest"
)

// keyError is an error about an unknown key or a value of the wrong type.
type keyError struct {
	path    string // of the key, with indexes: "target[0].arch"
	text    string
	isValue bool   // the value is wrong, rather than the key
	want    string // the required type, "a string"
}

func (e *keyError) Error() string {
	if e.isValue {
		return withoutIndexes(e.path) + ": " + e.text
	}
	return e.text
}

// checkTypes compares decoded values with the fields of a type. It returns the errors in the order of keys.
func checkTypes(t reflect.Type, path string, value any) []*keyError {
	switch {
	case t.Kind() == reflect.Interface:
		return nil
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return checkText(t, path, value)
	case reflect.PointerTo(t).Implements(reflect.TypeFor[toml.Unmarshaler]()):
		if err := reflect.New(t).Interface().(toml.Unmarshaler).UnmarshalTOML(value); err != nil {
			return []*keyError{{path: path, text: err.Error(), isValue: true}}
		}
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		if t.Kind() == reflect.Struct || t.Kind() == reflect.Map {
			return checkTable(t, path, v)
		}
	case []map[string]any:
		if t.Kind() == reflect.Slice {
			return checkList(t, path, v)
		}
	case []any:
		if t.Kind() == reflect.Slice {
			return checkList(t, path, v)
		}
	case int64:
		if t.Kind() == reflect.Uint64 && v < 0 {
			return []*keyError{{path: path, text: fmt.Sprintf("%d, must not be negative", v), isValue: true}}
		}
		if t.Kind() == reflect.Int || t.Kind() == reflect.Uint64 || t.Kind() == reflect.Float64 {
			return nil
		}
	case float64:
		if t.Kind() == reflect.Float64 {
			return nil
		}
	case string:
		if t.Kind() == reflect.String {
			return nil
		}
	case bool:
		if t.Kind() == reflect.Bool {
			return nil
		}
	}
	want := article(kindOf(t))
	text := shown(value) + " is not " + want
	if kindOf(t) == "array of tables" && !strings.Contains(path, ".") {
		text += "; write [[" + path + "]]"
	}
	return []*keyError{{path: path, text: text, isValue: true, want: want}}
}

// checkText checks a value written as text, such as a size or a time.
func checkText(t reflect.Type, path string, value any) []*keyError {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case int64, float64, bool:
		text = fmt.Sprint(v)
	default:
		return []*keyError{{path: path, text: shown(value) + " is not " + article(kindOf(t)), isValue: true}}
	}
	if err := reflect.New(t).Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		return []*keyError{{path: path, text: err.Error(), isValue: true}}
	}
	return nil
}

func checkTable(t reflect.Type, path string, table map[string]any) []*keyError {
	var list []*keyError
	for _, name := range slices.Sorted(maps.Keys(table)) {
		element := t
		if t.Kind() == reflect.Map {
			element = t.Elem()
		} else {
			field, ok := fieldOf(t, name)
			if !ok {
				list = append(list, unknownKey(t, join(path, name), name))
				continue
			}
			element = field.Type
		}
		list = append(list, checkTypes(element, join(path, name), table[name])...)
	}
	return list
}

func checkList[V any](t reflect.Type, path string, items []V) []*keyError {
	var list []*keyError
	for i, item := range items {
		list = append(list, checkTypes(t.Elem(), fmt.Sprintf("%s[%d]", path, i), item)...)
	}
	return list
}

// unknownKey is the error for an unknown key of a table.
func unknownKey(t reflect.Type, path, name string) *keyError {
	if path == "blas" {
		return &keyError{path: path,
			text: `the key "blas" was removed: Go computes on the cpu platform; remove this line`}
	}
	known := keysOf(t)
	return &keyError{path: path, text: fmt.Sprintf("unknown key %q%s (known here: %s)", withoutIndexes(path),
		nearest.DidYouMean(name, known), strings.Join(known, ", "))}
}

func keysOf(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("toml"); tag != "" {
			names = append(names, tag)
		}
	}
	slices.Sort(names)
	return names
}

// firstError returns the first error by position in the text; nil for none.
func firstError(list []*keyError, text string) error {
	if len(list) == 0 {
		return nil
	}
	places := readPlaces(text)
	return slices.MinFunc(list, func(a, b *keyError) int { return places.of(a.path).compare(places.of(b.path)) })
}

// withoutIndexes returns the name of a key in Keys: "target.arch" for "target[0].arch".
func withoutIndexes(path string) string {
	var b strings.Builder
	depth := 0
	for _, r := range path {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shown returns a value for a message.
func shown(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return fmt.Sprint(value)
}

// article adds the article to a kind of value: "an integer", "a list of strings", "true or false".
func article(kind string) string {
	switch {
	case kind == "true or false":
		return kind
	case strings.ContainsRune("aeiou", rune(kind[0])):
		return "an " + kind
	}
	return "a " + kind
}
