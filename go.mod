module roclua

go 1.26
