package analyze

// PrepareAll makes a log read files in blocks of a number of bytes, all of which are prepared.
func (l *Log) PrepareAll(bytes int) { l.blockSize, l.measureEvery = bytes, 0 }
