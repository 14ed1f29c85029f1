package run

import (
	"bytes"
	"strings"
	"sync"
	"time"
)

// capture keeps the output of a worker process. Output and replies use different pipes: a worker prints endOfCase
// before it replies, which shows that all output of the case has arrived.
type capture struct {
	mu   sync.Mutex
	text bytes.Buffer
	tail []byte        // last bytes that arrived, as many as endOfCase has
	over chan struct{} // receives when endOfCase arrives
}

// captureLimit bounds the bytes that are kept of one case.
const captureLimit = 1 << 20

const endOfCase = "\x00end of case\x00"

func newCapture() *capture { return &capture{over: make(chan struct{}, 1)} }

func (c *capture) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if room := captureLimit - c.text.Len(); room > 0 {
		c.text.Write(b[:min(len(b), room)])
	}
	c.tail = append(c.tail, b[max(0, len(b)-len(endOfCase)):]...)
	c.tail = c.tail[max(0, len(c.tail)-len(endOfCase)):]
	if string(c.tail) == endOfCase {
		select {
		case c.over <- struct{}{}:
		default:
		}
	}
	return len(b), nil
}

// await waits until the output of a case is complete, or until the timeout: a library may have closed the output.
func (c *capture) await(timeout time.Duration) {
	select {
	case <-c.over:
	case <-time.After(timeout):
	}
}

// take returns the output since its last call.
func (c *capture) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := strings.ToValidUTF8(strings.ReplaceAll(c.text.String(), endOfCase, ""), "?")
	c.text.Reset()
	select {
	case <-c.over: // arrived after the timeout of its case
	default:
	}
	return text
}
