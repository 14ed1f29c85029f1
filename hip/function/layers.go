package function

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Layer is a function of hipBLAS or hipSOLVER.
type Layer struct {
	Name  string // in C
	Words int    // arguments that are passed in memory, on x86-64
}

// layers.txt has the functions of the releases in the table. A line is a product of lists: the words, the library, the
// letters of types, names and suffixes; "-" is an empty list.
//
//go:embed layers.txt
var layersText string

// Layers returns the functions of hipBLAS and hipSOLVER.
var Layers = sync.OnceValue(func() []Layer {
	var list []Layer
	for line := range strings.Lines(layersText) {
		fields := strings.Fields(line)
		words, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) != 5 {
			panic(fmt.Sprintf("hip/function: layers.txt: %q", line))
		}
		for _, typ := range options(fields[2]) {
			for _, name := range options(fields[3]) {
				for _, suffix := range options(fields[4]) {
					list = append(list, Layer{fields[1] + typ + name + suffix, words})
				}
			}
		}
	}
	return list
})

func options(list string) []string {
	if list == "-" {
		return []string{""}
	}
	return strings.Split(list, ",")
}
