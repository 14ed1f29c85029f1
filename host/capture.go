package host

import (
	"bytes"
	"strings"
	"sync"
	"time"
)

// capture keeps what a worker process prints. That comes by another way than its answers: a worker prints endOfCase before it
// answers, so that what was printed before is known to have come.
type capture struct {
	mu   sync.Mutex
	text bytes.Buffer
	tail []byte        // the last bytes that came, as many as endOfCase has
	over chan struct{} // receives when endOfCase came
}

// captureLimit bounds what is kept of one case.
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

// await waits for the end of a case, but not for ever: a library may have closed the output.
func (c *capture) await(patience time.Duration) {
	select {
	case <-c.over:
	case <-time.After(patience):
	}
}

// take returns what was printed since it was last called.
func (c *capture) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := strings.ToValidUTF8(strings.ReplaceAll(c.text.String(), endOfCase, ""), "?")
	c.text.Reset()
	select {
	case <-c.over: // came too late for its case
	default:
	}
	return text
}
