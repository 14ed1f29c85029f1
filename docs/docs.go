// Package docs has the pages of the manual that are written by hand.
package docs

import "embed"

// Files are the pages in Markdown, and their pictures.
//
//go:embed cluster.md ci.md documents.md guide.md habits.md loads.md lua.md platforms.md report.png
var Files embed.FS
