module workload/short

go 1.26

require example.com/table v0.0.0

replace example.com/table => ./table
