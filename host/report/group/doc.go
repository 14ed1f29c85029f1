// Package group summarizes many cases: a problem shared by 16 cases is reported once, with its cases.
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
