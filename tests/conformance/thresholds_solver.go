package conformance

import "roclua/hip/routine"

// gelsThresholds are tall, square and wide systems near the orders where their factorizations start to use panels.
func gelsThresholds(*routine.Routine) []grid {
	operations := routine.Legal(routine.Operation)
	return []grid{
		{routine.TransA: operations[:2], routine.M: around(128), routine.N: around(128), routine.NRHS: {1, 200},
			routine.BatchCount: {2}},
		{routine.TransA: operations[:2], routine.M: {600}, routine.N: {500}, routine.NRHS: {1000}},
		{routine.TransA: operations[:2], routine.M: {500}, routine.N: {600}, routine.NRHS: {1000}},
	}
}

func larfgThresholds(*routine.Routine) []grid {
	return []grid{{routine.N: around(2, 514, 1026, 2048)}}
}

// generationThresholds have at least as many rows as columns for orgqr, and the reverse for orglq.
func generationThresholds(r *routine.Routine) []grid {
	longer, shorter := routine.M, routine.N
	if r.Family.ID == routine.Orglq {
		longer, shorter = shorter, longer
	}
	return []grid{
		{longer: around(130, 2048), shorter: {64, 65}, routine.K: {1, 64}},
		{longer: {130, 2500}, shorter: {130}, routine.K: around(64, 128)},
	}
}

func orgbrThresholds(*routine.Routine) []grid {
	storage := routine.Legal(routine.Storage)
	return []grid{{routine.Storev: storage, routine.M: around(130), routine.N: around(130),
		routine.K: {100, 129, 130, 200}}}
}

func tridiagonalThresholds(*routine.Routine) []grid {
	return []grid{{routine.N: around(2, 64, 128, 256), routine.BatchCount: {0, 1, 3}}}
}

// standardThresholds are the orders where sygst becomes blocked, and where the solve of a block leaves rocSOLVER's own
// kernels.
func standardThresholds(*routine.Routine) []grid {
	return []grid{
		{routine.Itype: routine.Legal(routine.ProblemForm)[:2], routine.Uplo: routine.Legal(routine.Fill)[:2],
			routine.N: around(2, 58, 64, 128, 176, 240, 304, 352, 416, 544, 640), routine.BatchCount: {0, 2}},
		{routine.Uplo: routine.Legal(routine.Fill)[:2], routine.N: {8256, 8320}},
	}
}

// inverseThresholds bound the orders where a batch of triangles is inverted by blocks.
func inverseThresholds(*routine.Routine) []grid {
	return []grid{{routine.Diag: routine.Legal(routine.Diagonal)[:2],
		routine.N: around(1, 32, 64, 245, 1009, 1024), routine.BatchCount: {0, 2}}}
}
