package atomicity_test

import (
	"fmt"

	"github.com/atomrace/atomrace/atomicity"
)

// A spec as infer writes it, here with the analysis left out.
func Example() {
	spec := atomicity.New()
	spec.Packages = []*atomicity.Package{{
		Path: "example.com/pool",
		Variables: []*atomicity.Variable{{
			Name: "Pool.free",
			Type: "[]*Conn",
			Sections: []*atomicity.Section{{
				ID:       atomicity.SectionID("(*Pool).Get", "Pool.free", 1),
				Pattern:  atomicity.TestAndUse,
				Function: "(*Pool).Get",
				Entry:    atomicity.Location{Access: atomicity.Read, Code: "n := len(p.free)", Ordinal: 1, Line: 31},
				Ends: []atomicity.End{{
					Location: atomicity.Location{Access: atomicity.Write, Code: "p.free = p.free[:n-1]", Ordinal: 4, Line: 38},
					Allow:    atomicity.Read,
				}},
				Origin: "testuse",
				Status: atomicity.Candidate,
			}},
		}},
	}}
	text, err := spec.Bytes()
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// # What is meant to be atomic in this module. Every field is explained in
	// # https://github.com/atomrace/atomrace/blob/main/docs/atomicity-yaml.md
	// # yaml-language-server: $schema=https://raw.githubusercontent.com/atomrace/atomrace/main/docs/atomicity.schema.json
	// version: 1
	// packages:
	//   - package: example.com/pool
	//     variables:
	//       - variable: Pool.free
	//         type: "[]*Conn"
	//         sections:
	//           - id: (*Pool).Get/Pool.free#1
	//             pattern: test-and-use
	//             function: (*Pool).Get
	//             entry: {access: read, code: "n := len(p.free)", ordinal: 1, line: 31}
	//             ends:
	//               - {access: write, code: "p.free = p.free[:n-1]", ordinal: 4, line: 38, allow: [read]}
	//             origin: testuse
	//             status: candidate
	// <nil>
}

// A person's comments survive whatever the API changes.
func ExampleSpec_Bytes() {
	spec, err := atomicity.Parse("atomicity.yaml", []byte(`version: 1
packages:
- package: example.com/cache   # owned by the storage team
  variables:
  - variable: Cache.hits
    sections:
    # Off by one is fine here, see the design.
    - {id: hits, pattern: load-and-store, function: (*Cache).Get, origin: loadstore, status: 'candidate',
       entry: {access: read, code: c.hits++}, ends: [{access: write, code: c.hits++, allow: [read]}]}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	hits := spec.Section("hits")
	hits.Status, hits.Reason = atomicity.Rejected, "a statistic"
	text, err := spec.Bytes()
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// version: 1
	// packages:
	// - package: example.com/cache   # owned by the storage team
	//   variables:
	//   - variable: Cache.hits
	//     sections:
	//     # Off by one is fine here, see the design.
	//     - {id: hits, pattern: load-and-store, function: (*Cache).Get, origin: loadstore, status: 'rejected', reason: "a statistic",
	//        entry: {access: read, code: c.hits++}, ends: [{access: write, code: c.hits++, allow: [read]}]}
	// <nil>
}
