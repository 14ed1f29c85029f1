// Functions that programs import and the runtime does not have, from the list missing.h. Each says once that it is
// missing.
#include <stdatomic.h>
static long missing(const char *name, atomic_flag *said) {
  if (!atomic_flag_test_and_set(said))
    fprintf(stderr, "roclua: %s is not in the HIP runtime without a GPU: it returns hipErrorNotSupported\n", name);
  return returned(hipErrorNotSupported);
}

#define STUB(name) \
  long name(void) { \
    static atomic_flag said = ATOMIC_FLAG_INIT; \
    return missing(#name, &said); \
  }
#include "missing.h"
