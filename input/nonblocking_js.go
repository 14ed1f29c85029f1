package input

// NonBlocking is no flag: there are no FIFOs.
const NonBlocking = 0
