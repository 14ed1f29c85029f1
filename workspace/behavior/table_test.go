package behavior

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"roclua/hip/routine"
)

// panicOf returns the panic of a function, or "".
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// TestEntriesAreComplete removes each part of each entry in turn, and checks that the failure names the family and the
// part.
func TestEntriesAreComplete(t *testing.T) {
	all := families()[:]
	if text := panicOf(func() { complete(all) }); text != "" {
		t.Fatal(text)
	}
	parts := map[string]string{"checks": "argument checks", "size": "size rule", "steps": "steps",
		"numbers": "arrays to search for unusual numbers", "datatypes": "datatypes"}
	for _, entry := range all {
		for field, part := range parts {
			f, declared := entry, entry.ID.Family()
			if field == "datatypes" && !declared.Mixed() ||
				field == "numbers" && declared.Library != routine.RocBLAS {
				continue
			}
			remove(&f, field)
			want := fmt.Sprintf("the entry of %s has no %s", f.ID, part)
			if text := panicOf(func() { complete([]family{f}) }); !strings.HasSuffix(text, want) {
				t.Errorf("without %s: panic %q, want %q", field, text, want)
			}
		}
	}
	getrf := all[routine.Getrf]
	for want, entries := range map[string][]family{
		"getrf has two entries": append(all, getrf),
		"getrf has no entry":    append(all[:routine.Getrf:routine.Getrf], all[routine.Getrf+1:]...),
	} {
		if text := panicOf(func() { complete(entries) }); !strings.HasSuffix(text, want) {
			t.Errorf("panic %q, want %q", text, want)
		}
	}
	getrf.size = noWorkspace
	want := "the entry of getrf has no size rule for the buffers that it declares"
	if text := panicOf(func() { complete([]family{getrf}) }); !strings.HasSuffix(text, want) {
		t.Errorf("panic %q, want %q", text, want)
	}
}

// TestEveryPartIsRemoved checks that TestEntriesAreComplete knows every part that an entry can have.
func TestEveryPartIsRemoved(t *testing.T) {
	fields := []string{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[family]()) {
		fields = append(fields, f.Name)
	}
	if have, want := strings.Join(fields, " "), "ID also checks size steps numbers datatypes"; have != want {
		t.Errorf("an entry has the fields %s, want %s: remove a new part in TestEntriesAreComplete", have, want)
	}
}

// remove removes a part of an entry.
func remove(f *family, field string) {
	switch field {
	case "checks":
		f.checks = nil
	case "size":
		f.size = nil
	case "steps":
		f.steps = nil
	case "numbers":
		f.numbers = nil
	case "datatypes":
		f.datatypes = nil
	}
}
