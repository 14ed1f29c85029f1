package output

import (
	"bytes"
	"encoding/xml"
	"strings"
)

// xmlWriter appends elements to text, each on a new line, as encoding/xml indents them. It does not use reflection.
type xmlWriter struct {
	out    bytes.Buffer
	depth  int  // of the elements that have begun
	parent bool // the last element that has begun has elements
}

// begin begins an element with attributes, each a name and its value.
func (x *xmlWriter) begin(tag string, attributes ...string) {
	x.newLine()
	x.out.WriteByte('<')
	x.out.WriteString(tag)
	for i := 0; i < len(attributes); i += 2 {
		x.out.WriteByte(' ')
		x.out.WriteString(attributes[i])
		x.out.WriteString(`="`)
		x.escape(attributes[i+1])
		x.out.WriteByte('"')
	}
	x.out.WriteByte('>')
	x.depth++
	x.parent = false
}

// end ends an element.
func (x *xmlWriter) end(tag string) {
	if x.depth--; x.parent {
		x.newLine()
	}
	x.out.WriteString("</")
	x.out.WriteString(tag)
	x.out.WriteByte('>')
	x.parent = true
}

// element writes an element with attributes and text.
func (x *xmlWriter) element(tag, text string, attributes ...string) {
	x.begin(tag, attributes...)
	x.cdata(text)
	x.end(tag)
}

func (x *xmlWriter) newLine() {
	x.out.WriteByte('\n')
	for range x.depth {
		x.out.WriteString("  ")
	}
}

// escape writes the value of an attribute.
func (x *xmlWriter) escape(text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7F || strings.IndexByte(`"'&<>`, c) >= 0 {
			xml.EscapeText(&x.out, []byte(text)) // a buffer does not fail
			return
		}
	}
	x.out.WriteString(text)
}

// cdata writes text in a CDATA section. It splits an end marker in the text over two sections.
func (x *xmlWriter) cdata(text string) {
	if text == "" {
		return
	}
	x.out.WriteString("<![CDATA[")
	x.out.WriteString(strings.ReplaceAll(text, "]]>", "]]]]><![CDATA[>"))
	x.out.WriteString("]]>")
}
