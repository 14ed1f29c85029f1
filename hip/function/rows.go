package function

import "strings"

// rocblasRows are the functions of rocBLAS, except those that copy vectors and matrices. The numbers of a call that are
// in host memory and do not matter to memory are pointers.
const rocblasRows = `
r rocblas_create_handle handle:H
r rocblas_destroy_handle handle:h
r rocblas_set_stream handle:h stream:s
r rocblas_get_stream handle:h stream:p
r rocblas_set_pointer_mode handle:h pointer_mode:i
r rocblas_get_pointer_mode handle:h pointer_mode:I
r rocblas_set_atomics_mode handle:h atomics_mode:i
r rocblas_get_atomics_mode handle:h atomics_mode:I
r rocblas_set_math_mode handle:h math_mode:i
r rocblas_get_math_mode handle:h math_mode:I
r rocblas_set_performance_metric handle:h metric:i
r rocblas_get_performance_metric handle:h metric:I
r rocblas_start_device_memory_size_query handle:h
r rocblas_stop_device_memory_size_query handle:h size:Z
b rocblas_is_device_memory_size_query handle:h
r rocblas_get_device_memory_size handle:h size:Z
r rocblas_set_device_memory_size handle:h size:z
r rocblas_set_workspace handle:h addr:m size:z
v rocblas_device_malloc_set_default_memory_size size:z
b rocblas_is_managing_device_memory handle:h
b rocblas_is_user_managing_device_memory handle:h
b rocblas_device_malloc_success ptr:p
r rocblas_device_malloc_free ptr:m
r rocblas_device_malloc_get ptr:p index:z res:M
r rocblas_device_malloc_ptr ptr:p res:M
p rocblas_status_to_string status:i
r rocblas_get_version_string buf:p len:z
r rocblas_get_version_string_size len:Z
r rocblas_get_commit_hash_string buf:p len:z
r rocblas_get_commit_hash_string_size len:Z
i rocblas_pointer_to_mode ptr:p
r rocblas_set_solution_fitness_query handle:h fitness:p
r rocblas_set_start_stop_events handle:h startEvent:e stopEvent:e
v rocblas_initialize
v rocblas_abort
r rocblas_gemm_ex_get_solutions handle:h transA:i transB:i m:i n:i k:i alpha:p a:p a_type:i lda:i b:p b_type:i ldb:i ` +
	`beta:p c:p c_type:i ldc:i d:p d_type:i ldd:i compute_type:i algo:i flags:u list_array:p list_size:p
r rocblas_gemm_batched_ex_get_solutions handle:h transA:i transB:i m:i n:i k:i alpha:p a:p a_type:i lda:i b:p ` +
	`b_type:i ldb:i beta:p c:p c_type:i ldc:i d:p d_type:i ldd:i batch_count:i compute_type:i algo:i flags:u ` +
	`list_array:p list_size:p
r rocblas_gemm_strided_batched_ex_get_solutions handle:h transA:i transB:i m:i n:i k:i alpha:p a:p a_type:i lda:i ` +
	`stride_a:l b:p b_type:i ldb:i stride_b:l beta:p c:p c_type:i ldc:i stride_c:l d:p d_type:i ldd:i stride_d:l ` +
	`batch_count:i compute_type:i algo:i flags:u list_array:p list_size:p
r rocblas_gemm_ex_get_solutions_by_type handle:h input_type:i output_type:i compute_type:i flags:u list_array:p ` +
	`list_size:p
r rocblas_gemm_batched_ex_get_solutions_by_type handle:h input_type:i output_type:i compute_type:i flags:u ` +
	`list_array:p list_size:p
`

// variadicRows are functions that rocSOLVER and hipSOLVER call for their workspace. The sizes are as many arguments as
// count.
const variadicRows = `
r rocblas_set_optimal_device_memory_size_impl handle:h count:z sizes:y
r rocblas_device_malloc_alloc handle:h res:O count:z sizes:y
`

const rocsolverRows = `
r rocsolver_create_rfinfo rfinfo:O handle:h
r rocsolver_destroy_rfinfo rfinfo:p
r rocsolver_set_rfinfo_mode rfinfo:p mode:i
r rocsolver_get_rfinfo_mode rfinfo:p mode:I
r rocsolver_set_alg_mode handle:h func:i mode:i
r rocsolver_get_alg_mode handle:h func:i mode:I
r rocsolver_get_version_string buf:p len:z
r rocsolver_get_version_string_size len:Z
r rocsolver_log_begin
r rocsolver_log_end
r rocsolver_log_set_layer_mode layer_mode:u
r rocsolver_log_set_max_levels max_levels:i
r rocsolver_log_restore_defaults
r rocsolver_log_write_profile
r rocsolver_log_flush_profile
`

// transferRows returns the functions that copy vectors and matrices.
func transferRows() string {
	const rows = `
r rocblas_set_vector n:i elem_size:i x:m incx:i y:m incy:i
r rocblas_get_vector n:i elem_size:i x:m incx:i y:m incy:i
r rocblas_set_matrix rows:i cols:i elem_size:i a:m lda:i b:m ldb:i
r rocblas_get_matrix rows:i cols:i elem_size:i a:m lda:i b:m ldb:i
`
	var b strings.Builder
	for row := range strings.Lines(strings.TrimSpace(rows)) {
		row = strings.TrimSpace(row)
		f := parse(row)
		async := strings.Replace(row, f.Name, f.Name+"_async", 1) + " stream:s"
		for _, form := range []string{row, async} {
			f := parse(form)
			b.WriteString(form + "\n")
			b.WriteString(strings.ReplaceAll(strings.Replace(form, f.Name, f.Name+"_64", 1), ":i", ":l") + "\n")
		}
	}
	return b.String()
}

// layerRows are functions of libraries above rocBLAS and rocSOLVER. The recorder reads them in Layers.
const layerRows = `
i hipsolverCreate handle:H
i hipsolverDestroy handle:h
i hipsolverSetStream handle:h stream:s
i hipsolverGetStream handle:h stream:p
i hipblasCreate handle:H
i hipblasDestroy handle:h
i hipblasSetStream handle:h stream:s
i hipblasGetStream handle:h stream:p
i hipblasSetPointerMode handle:h mode:i
i hipblasGetPointerMode handle:h mode:I
i hipblasSetAtomicsMode handle:h atomics_mode:i
i hipblasGetAtomicsMode handle:h atomics_mode:I
i hipblasSetWorkspace handle:h workspace:m workspaceSizeInBytes:z
i hipblasSetVector n:i elemSize:i x:p incx:i y:p incy:i
i hipblasGetVector n:i elemSize:i x:p incx:i y:p incy:i
i hipblasSetVectorAsync n:i elemSize:i x:p incx:i y:p incy:i stream:s
i hipblasGetVectorAsync n:i elemSize:i x:p incx:i y:p incy:i stream:s
i hipblasSetMatrix rows:i cols:i elemSize:i AP:p lda:i BP:p ldb:i
i hipblasGetMatrix rows:i cols:i elemSize:i AP:p lda:i BP:p ldb:i
i hipblasSetMatrixAsync rows:i cols:i elemSize:i AP:p lda:i BP:p ldb:i stream:s
i hipblasGetMatrixAsync rows:i cols:i elemSize:i AP:p lda:i BP:p ldb:i stream:s
i hipblasSetMathMode handle:h mode:i
i hipblasGetMathMode handle:h mode:I
p hipblasStatusToString status:i
i hipsolverCreateSyevjInfo info:O
i hipsolverDestroySyevjInfo info:p
i hipsolverXsyevjSetMaxSweeps info:p max_sweeps:i
i hipsolverXsyevjSetSortEig info:p sort_eig:i
i hipsolverCreateGesvdjInfo info:O
i hipsolverDestroyGesvdjInfo info:p
i hipsolverXgesvdjSetMaxSweeps info:p max_sweeps:i
i hipsolverXgesvdjSetSortEig info:p sort_eig:i
i hipsolverXsyevjSetTolerance info:p tolerance:d
i hipsolverXsyevjGetResidual handle:h info:p residual:D
i hipsolverXsyevjGetSweeps handle:h info:p executed_sweeps:I
i hipsolverXgesvdjSetTolerance info:p tolerance:d
i hipsolverXgesvdjGetResidual handle:h info:p residual:D
i hipsolverXgesvdjGetSweeps handle:h info:p executed_sweeps:I
i hipsolverDnCreateParams info:O
i hipsolverDnDestroyParams info:p
i hipsolverDnSetAdvOptions params:p func:i alg:i
`
