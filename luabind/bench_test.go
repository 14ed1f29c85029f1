package luabind_test

import (
	"context"
	"fmt"
	"testing"

	"roclua/luabind"
)

// BenchmarkQuery measures the documented query of four calls, from Lua: what getrf and getrs need to solve a system.
func BenchmarkQuery(b *testing.B) {
	for name, calls := range map[string]string{
		"in C order": `rocsolver.dgetrf(h, 1024, 1024, nil, 1024, nil, nil)
			rocsolver.dgetrs(h, rocblas.operation_none, 1024, 1, nil, 1024, nil, nil, 1024)`,
		"by name": `h:dgetrf { m = 1024, n = 1024 } h:dgetrs { n = 1024, nrhs = 1 }`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			source := fmt.Sprintf(prelude+`local h = rocblas.create_handle()
				for i = 1, %d do
					rocblas.start_device_memory_size_query(h)
					%s
					rocblas.stop_device_memory_size_query(h)
				end
				rocblas.destroy_handle(h)`, b.N, calls)
			script, err := luabind.Compile("bench.lua", []byte(source))
			if err != nil {
				b.Fatal(err)
			}
			if record := runScript(b, context.Background(), script, luabind.Case{}); record.Err != nil {
				b.Fatal(record.Err)
			}
		})
	}
}
