// Package capacity computes the memory that all handles of a program need together, for the command roclua plan. It
// takes what each handle needs from package applog, and the kernels of products from package products.
//
//	report, err := applog.Read(ctx, applog.Request{Files: []string{"app.rec"}})
//	p, err := capacity.New(report, capacity.Options{Budget: &bytes})
//	err = p.WriteText(os.Stdout)
package capacity
