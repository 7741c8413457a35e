// xxHash. Programs that are built for size have only what they use of it: the
// library is one object file, 27 KB.
#ifndef OPCOMPAT_BASE_XXH3_H_
#define OPCOMPAT_BASE_XXH3_H_

#ifdef __OPTIMIZE_SIZE__
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#endif  // OPCOMPAT_BASE_XXH3_H_
