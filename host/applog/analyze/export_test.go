package analyze

// PrepareAll makes a log read files in blocks of the given size and prepare all of them.
func (l *Log) PrepareAll(bytes int) { l.blockSize, l.measureEvery = bytes, 0 }
