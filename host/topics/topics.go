// Package topics are the pages of the manual that are about the program and not about what scripts call.
package topics

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.txt
var files embed.FS

// Topic is a page: its first line says what it is about.
type Topic struct {
	Name  string // "expect"
	About string
	Text  string
}

// All returns the topics by name.
func All() []Topic {
	var list []Topic
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		panic(fmt.Sprintf("topics: %v", err))
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(fmt.Sprintf("topics: %v", err))
		}
		about, rest, _ := strings.Cut(string(text), "\n")
		list = append(list, Topic{Name: strings.TrimSuffix(name, ".txt"), About: about, Text: strings.TrimLeft(rest, "\n")})
	}
	return list
}
