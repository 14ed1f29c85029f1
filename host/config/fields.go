package config

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// fieldType returns the field of a key and the struct that contains it. It descends into the elements of arrays of
// tables. ok is false if the configuration has no such field.
func fieldType(name string) (table reflect.Type, field reflect.StructField, ok bool) {
	t := reflect.TypeFor[Config]()
	for part := range strings.SplitSeq(name, ".") {
		for t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		table = t
		if field, ok = fieldOf(t, part); !ok {
			return nil, field, false
		}
		t = field.Type
	}
	return table, field, true
}

// fieldOf returns the field of a struct with a name in the file.
func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		if t.Field(i).Tag.Get("toml") == name {
			return t.Field(i), true
		}
	}
	return reflect.StructField{}, false
}

// KeyOf returns the key for a field of a configuration type; nil for other fields. Types shared by several tables, such
// as Faults, have the keys of the first.
func KeyOf(t reflect.Type, field string) *Key {
	for i := range Keys {
		if table, f, ok := fieldType(Keys[i].Name); ok && table == t && f.Name == field {
			return &Keys[i]
		}
	}
	return nil
}

// value returns the field of a key outside arrays of tables.
func (c *Config) value(name string) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	for part := range strings.SplitSeq(name, ".") {
		field, ok := fieldOf(v.Type(), part)
		if !ok {
			panic(fmt.Sprintf("config: the key %s has no field", name))
		}
		v = v.FieldByIndex(field.Index)
	}
	return v
}

// parse sets a field from the value of a flag or a variable.
func parse(field reflect.Value, text string) error {
	var err error
	switch p := field.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		return p.UnmarshalText([]byte(text))
	case *bool:
		*p, err = strconv.ParseBool(text)
	case *int:
		*p, err = strconv.Atoi(text)
	case *uint64:
		*p, err = strconv.ParseUint(text, 0, 64)
	case *string:
		*p = text
	default:
		panic(fmt.Sprintf("config: a flag cannot set a value of type %s", field.Type()))
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%q is too large", text)
	case err != nil && strings.HasPrefix(text, "-"):
		return fmt.Errorf("%q must not be negative", text)
	case err != nil:
		return fmt.Errorf("%q is not %s", text, article(kindOf(field.Type())))
	}
	return nil
}

// Kind returns the type of the key's value, for documentation: "integer", "size", "list of strings".
func (k *Key) Kind() string {
	_, field, ok := fieldType(k.Name)
	if !ok {
		panic(fmt.Sprintf("config: the key %s has no field", k.Name))
	}
	return kindOf(field.Type)
}

func kindOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Size]():
		return "size"
	case reflect.TypeFor[Duration]():
		return "time"
	case reflect.TypeFor[Numbers]():
		return "integer, or list of integers"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Uint64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return "array of tables"
		}
		return "list of " + kindOf(t.Elem()) + "s"
	case reflect.Map, reflect.Struct:
		return "table"
	}
	return "string"
}
