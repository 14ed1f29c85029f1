package tuning

import "fmt"

// Kernel is a solution: a kernel and how its groups of threads divide a product.
type Kernel struct {
	Name    string
	Index   int    // of the solution, as in the argument solution_index less one
	Tile    [2]int // rows and columns of D that a group of threads computes
	Depth   int    // of a step along k
	Split   int    // parts of the sum over k that are computed in parallel
	StreamK int    // how groups share tiles; 0 if they do not

	*conditions
}

// conditions say for which products there is a kernel. Most kernels of a table share them with others.
type conditions struct {
	tests       []test
	perElement  uint64 // bytes of workspace for each element of D
	tilesPartly bool   // a workspace for parts of tiles, whose bytes are not known
}

// Workspace returns the bytes that the kernel needs for a product.
func (k *Kernel) Workspace(p *Problem) uint64 { return p.M * p.N * p.Batch * k.perElement }

// fits reports whether the workspace for a product is free.
func (k *Kernel) fits(p *Problem) bool {
	if k.tilesPartly {
		panic(stop{fmt.Errorf("the workspace of the stream-K kernel %s is not modelled", k.Name)})
	}
	return k.Workspace(p) <= p.Free
}

// Tiles returns the number of groups of threads for a product.
func (k *Kernel) Tiles(p *Problem) uint64 {
	tiles := func(n uint64, tile int) uint64 { return (n + uint64(tile) - 1) / uint64(max(tile, 1)) }
	return tiles(p.M, k.Tile[0]) * tiles(p.N, k.Tile[1]) * p.Batch * uint64(max(k.Split, 1))
}

// choose returns the kernel if its conditions hold.
func (k *Kernel) choose(q *query) *Kernel {
	q.solution = k
	for _, t := range k.tests {
		if !t(q) {
			return nil
		}
	}
	return k
}
