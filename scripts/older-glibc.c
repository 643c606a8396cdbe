// What the packages are linked with beside the C library of Debian 11: the system's archives were compiled with a later
// one and use these three, which it has not. See scripts/package.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// Expat salts its tables with it. The kernel's generator may be cut off by a signal, and does not fail once it is ready.
void arc4random_buf(void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t more = getrandom((char *)bytes + done, count - done, 0);
        if (more > 0) done += (size_t)more;
    }
}

// libstdc++'s `random_device` names it.
uint32_t arc4random(void) {
    uint32_t value;
    arc4random_buf(&value, sizeof value);
    return value;
}

// libstdc++ leaves out atomic operations where this says that there is one thread; there are always several.
char __libc_single_threaded = 0;
