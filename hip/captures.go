package hip

import (
	"slices"

	"roclua/hip/driver"
)

// captureRecord describes a capture for error messages: who began it, and which call invalidated it.
type captureRecord struct {
	begun       driver.Site
	invalidated *driver.Site
	ended       *driver.Site
}

// captures are the captures that have not ended.
type captures struct{ open []*captureRecord }

// begin records a capture that a call began.
func (c *captures) begin(by driver.Site) *captureRecord {
	record := &captureRecord{begun: by}
	c.open = append(c.open, record)
	return record
}

// failed records that a call invalidated the captures, if its error says so.
func (c *captures) failed(code driver.Error, call driver.Site) {
	if code < driver.ErrorCaptureUnsupported || code > driver.ErrorCaptureWrongThread ||
		code == driver.ErrorCaptureInvalidated || code == driver.ErrorCaptureUnmatched {
		return
	}
	for _, record := range c.open {
		if record.invalidated == nil {
			site := call
			record.invalidated = &site
		}
	}
}

// end records that a call ended the latest capture of a stream, or was to end it, and adds to its error what is known
// about the capture; nil is a stream that was never captured.
func (c *captures) end(record *captureRecord, stream int, by driver.Site, err error) error {
	switch code := driver.CodeOf(err); {
	case code == driver.ErrorCaptureUnmatched || code == driver.ErrorCaptureWrongThread:
		return err
	case record == nil && code == driver.ErrorIllegalState:
		return driver.WithDetail(err, "stream %d is not captured", stream)
	case record == nil || record.ended != nil && code != driver.ErrorIllegalState:
		return err
	case record.ended != nil:
		return driver.WithDetail(err, "stream %d is not captured: the capture that %s began was ended by %s", stream,
			record.begun, record.ended)
	default:
		record.ended = &by
		c.open = slices.DeleteFunc(c.open, func(other *captureRecord) bool { return other == record })
		if code == driver.ErrorCaptureInvalidated && record.invalidated != nil {
			return driver.WithDetail(err, "the capture that %s began was invalidated by %s", record.begun,
				record.invalidated)
		}
		return err
	}
}
