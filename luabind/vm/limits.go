package vm

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Limits bound a run. Zero means no limit.
type Limits struct {
	Timeout      time.Duration // time
	Instructions uint64        // executed by the Lua interpreter
	Heap         uint64        // bytes that Lua values, and host values behind them, may hold at a time
	Output       uint64        // bytes of text that are printed, and bytes that the host charges
}

// Names of limits in LimitError. A host may use other names for its own limits: see [Meter.Exceed].
const (
	LimitTimeout      = "timeout"
	LimitInstructions = "instructions"
	LimitHeap         = "heap"
	LimitOutput       = "output"
)

// A LimitError reports that a run ended because it reached a limit. No pcall catches it.
// If the limit is that of time, it wraps context.DeadlineExceeded.
type LimitError struct {
	Limit string // name of the limit
	Max   uint64 // the limit: nanoseconds, instructions or bytes
	Used  uint64 // what was used, including what was requested last
	Where string // the line of the script that ran, such as "solve.lua:12"; "" if unknown
}

func (e *LimitError) Error() string {
	text := e.text()
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return text
}

func (e *LimitError) text() string {
	used, limit := formatBytes(e.Used), formatBytes(e.Max)
	switch e.Limit {
	case LimitTimeout:
		return fmt.Sprintf("ran longer than its limit of %s (limits.timeout)", time.Duration(e.Max))
	case LimitInstructions:
		return fmt.Sprintf("executed %d instructions; the limit is %d (limits.instructions)", e.Used, e.Max)
	case LimitHeap:
		return fmt.Sprintf("needs %s of memory for Lua values; the limit is %s (limits.heap)", used, limit)
	case LimitOutput:
		return fmt.Sprintf("produced %s of output; the limit is %s (limits.output)", used, limit)
	}
	return fmt.Sprintf("used %s of %s; the limit is %s (limits.%s)",
		used, strings.ReplaceAll(e.Limit, "_", " "), limit, e.Limit)
}

// Unwrap returns context.DeadlineExceeded if the limit is that of time.
func (e *LimitError) Unwrap() error {
	if e.Limit == LimitTimeout {
		return context.DeadlineExceeded
	}
	return nil
}

// WithTimeout returns a context that ends after limit with a *LimitError as its cause. If limit is 0, it does not end
// by itself.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, TimedOut(limit))
}

// TimedOut returns the error of a run that took longer than limit.
func TimedOut(limit time.Duration) *LimitError {
	return &LimitError{Limit: LimitTimeout, Max: uint64(limit), Used: uint64(limit)}
}

// formatBytes returns n with its unit and a rounded value, such as "4732160 bytes (4.5 MiB)".
func formatBytes(n uint64) string {
	const kibi = 1024
	if n < kibi {
		return fmt.Sprintf("%d bytes", n)
	}
	value, unit := float64(n)/kibi, 0
	for ; value >= kibi; unit++ {
		value /= kibi
	}
	return fmt.Sprintf("%d bytes (%.1f %ciB)", n, value, "KMGTPE"[unit])
}
