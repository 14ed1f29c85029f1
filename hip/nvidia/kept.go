package nvidia

import (
	"unsafe"

	"roclua/hip/driver"
)

const (
	keptStreams  = 4    // the streams of a case whose lists are kept
	keptPointers = 1024 // the pointers in each of their two lists
	keptBytes    = 8 * 2 * keptPointers
)

// progression is the addresses of the matrices of a strided batch. No matrix is at address 0, which means no list.
type progression struct{ first, distance uint64 }

// keptLists are the two lists of pointers in device memory that calls of one stream used last. Each stream has its own,
// so that the next call overwrites them when earlier calls have read them.
type keptLists struct {
	stream driver.Stream
	at     driver.Ptr
	batch  int64 // the pointers in each list
	lists  [2]progression
}

// kept are the lists of pointers of handles.
type kept [keptStreams]keptLists

// allocate allocates the lists in memory that stays allocated with the handles. Without memory there are none.
func (k *kept) allocate(libs *libraries) {
	at := new(driver.Ptr)
	if libs.api.Call("Malloc", uintptr(unsafe.Pointer(at)), keptStreams*keptBytes) != nil {
		return
	}
	for i := range k {
		k[i].at = *at + driver.Ptr(i*keptBytes)
	}
}

// of returns the lists of a stream, or nil if there is no place for them.
func (k *kept) of(s driver.Stream) *keptLists {
	for i := range k {
		if l := &k[i]; l.at != 0 && (l.stream == s || l.stream == nil) {
			l.stream = s
			return l
		}
	}
	return nil
}

// forget forgets the streams and lists of a case.
func (k *kept) forget() {
	for i := range k {
		k[i] = keptLists{at: k[i].at}
	}
}
