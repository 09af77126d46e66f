module workload/soak

go 1.26.8
