package output

import (
	"encoding/xml"
	"math/rand/v2"
	"strings"
	"testing"

	"roclua/internal/randomtest"
)

// node is an element with elements, or with text.
type node struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
	Text  string `xml:",cdata"`
	Nodes []node `xml:"node"`
}

// TestXMLWriter writes random elements, and compares the bytes with package xml.
func TestXMLWriter(t *testing.T) {
	randomtest.Each(t, 2000, 4, func(t *testing.T, r *rand.Rand, length int) {
		n := randomNode(r, length)
		want, err := xml.MarshalIndent(n, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		var x xmlWriter
		n.write(&x)
		if have := strings.TrimPrefix(x.out.String(), "\n"); have != string(want) {
			t.Fatalf("have\n%q\nwant\n%q", have, want)
		}
	})
}

func (n *node) write(x *xmlWriter) {
	if len(n.Nodes) == 0 {
		x.element("node", n.Text, "name", n.Name, "value", n.Value)
		return
	}
	x.begin("node", "name", n.Name, "value", n.Value)
	for i := range n.Nodes {
		n.Nodes[i].write(x)
	}
	x.end("node")
}

func randomNode(r *rand.Rand, depth int) node {
	n := node{Name: randomText(r), Value: randomText(r)}
	if depth > 0 {
		for range r.IntN(4) {
			n.Nodes = append(n.Nodes, randomNode(r, depth-1))
		}
	}
	if n.Nodes == nil {
		n.Text = randomText(r)
	}
	return n
}

// randomText returns a string of characters that are special in XML, of others, and of what is not UTF-8.
func randomText(r *rand.Rand) string {
	parts := []string{"]]>", "]]", "<", ">", "&", `"`, "'", "\n", "\t", "\r", "\x00", "\xff", "\ufffd", "\uffff", "a",
		"é", " "}
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}
