// Package group summarizes what many cases have in common: a problem of 16 cases is reported once, with its cases.
//
//	for _, f := range group.Failures(results) {
//		fmt.Println(f.Outcome, f.Headline())
//		for _, name := range group.Names(f.IDs()) {
//			fmt.Println("  " + name.Text) // solve[scheme=manual,n={1..16}]@cpu/rocm-7.2/gfx90a
//		}
//	}
//
// All reports for people use it, so that they show the same groups.
package group
