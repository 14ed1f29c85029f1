package workspace

// Owner is who controls the device memory of a handle.
type Owner uint8

const (
	Managed     Owner = iota // the library: it grows the memory when a call needs more
	UserManaged              // the user set the size; the library allocated it
	UserOwned                // the user's own memory
)

// String returns the owner's name in the source of the library.
func (o Owner) String() string {
	return [...]string{"rocblas_managed", "user_managed", "user_owned"}[o]
}
