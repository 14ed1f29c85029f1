// Package render writes the needs of an application's logged calls as text, JSON, CSV, or a page with a chart.
package render
