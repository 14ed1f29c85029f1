// Package render writes what the calls of an application's logs need: as text, JSON, CSV, or a page with a picture.
package render
