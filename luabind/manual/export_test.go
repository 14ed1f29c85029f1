package manual

// HIPNames are the names in hipBLAS and hipSOLVER of functions that are not routines.
var HIPNames = hipNames
