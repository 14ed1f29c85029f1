// Functions of HIP that the runtime does not have, from the list missing.h. Each says once that it is
// missing.
#include <stdatomic.h>
static long missing(const char *name, atomic_flag *said, hipError_t result) {
  if (!atomic_flag_test_and_set(said))
    fprintf(stderr, "roclua: %s is not in the HIP runtime without a GPU: it returns %s\n", name,
            result ? "hipErrorNotSupported" : "no text");
  return returned(result);
}

#define STUB(name, result) \
  long name(void) { \
    static atomic_flag said = ATOMIC_FLAG_INIT; \
    return missing(#name, &said, result); \
  }
#include "missing.h"
