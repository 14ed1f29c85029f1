//go:build unix

package tuning

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// processorTime returns the time that the process has computed, which other processes do not change.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// slowestType returns the processor time of the file of a type that takes longest.
func slowestType(b *testing.B, folder, arch string) (most time.Duration) {
	l, err := OpenPath(folder, arch)
	if err != nil {
		b.Fatal(err)
	}
	types, _ := filepath.Glob(filepath.Join(folder, "TensileLibrary_Type_*_"+arch+".dat"))
	for _, file := range types {
		begin := processorTime(b)
		if _, err := l.read(strings.TrimSuffix(filepath.Base(file), extension)); err != nil {
			b.Fatal(err)
		}
		most = max(most, processorTime(b)-begin)
	}
	return most
}

// BenchmarkLoad loads the tuning files of a folder that ROCLUA_TUNING names: all of each architecture, and the file of
// a type that takes longest.
func BenchmarkLoad(b *testing.B) {
	folder := os.Getenv("ROCLUA_TUNING")
	archs, _ := filepath.Glob(filepath.Join(folder, "TensileLibrary_lazy_*.dat"))
	if len(archs) == 0 {
		b.Skip("ROCLUA_TUNING names no folder of tuning files")
	}
	for _, file := range archs {
		arch := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "TensileLibrary_lazy_"), ".dat")
		b.Run(arch, func(b *testing.B) {
			begin := processorTime(b)
			for b.Loop() {
				l, err := OpenPath(folder, arch)
				if err != nil {
					b.Fatal(err)
				}
				if err := l.Load(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime(b)-begin).Seconds()/float64(b.N), "processor-s/op")
			b.ReportMetric(slowestType(b, folder, arch).Seconds(), "processor-s/type")
		})
	}
}
