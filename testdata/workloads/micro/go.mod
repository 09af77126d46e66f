module workload/micro

go 1.26
