package escape

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// number matches text that spreadsheets read as a number, and infinity as Go writes it.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|Inf)$`)
})

// formulas are the first characters of cells that a spreadsheet evaluates, and their full-width forms.
const formulas = "=+-@\t\r\n＝＋－＠"

// ASCII replaces all characters but printable ones of ASCII by "?", for comments of Lua.
func ASCII(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '?'
		}
		return c
	}, text)
}

// CSVCell returns text for a cell of a spreadsheet. Text that would be evaluated as a formula starts with an
// apostrophe; numbers are unchanged.
func CSVCell(text string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " "))
	if !strings.ContainsRune(formulas, first) || number().MatchString(text) {
		return text
	}
	return "'" + text
}

// plainWords matches text that is the same with and without Markdown. A backslash, a bracket or an underscore, for
// example, can be a part of markup, and an address becomes a link.
var plainWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\p{L}\p{N} .,:;=+()%/'"?≠→…-]*$`)
})

// MarkdownCell returns text for a cell of a table: unchanged if nothing in it can be markup, otherwise as code.
func MarkdownCell(text string) string {
	if plainWords().MatchString(text) && !strings.Contains(text, "://") && !strings.Contains(text, "www.") {
		return text
	}
	return MarkdownCode(text)
}

// MarkdownCode returns text as code in a cell of a table, without HTML, links and mentions.
func MarkdownCode(text string) string {
	text = strings.NewReplacer("\n", " ", "\t", " ").Replace(text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}

// TAPLine returns text on one line of the Test Anything Protocol, without directives.
func TAPLine(text string) string { return tapLine.Replace(text) }

var tapLine = strings.NewReplacer("\n", " ", "\\", "\\\\", "#", "\\#")

// Message returns the message of a workflow command of GitHub Actions.
func Message(text string) string { return message.Replace(text) }

var message = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// Property returns a property of a workflow command.
func Property(text string) string { return property.Replace(text) }

var property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
