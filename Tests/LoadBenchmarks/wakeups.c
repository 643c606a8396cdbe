// How late this machine wakes a process that sleeps until an instant: the floor below which no generator's timers come.
// Usage: wakeups SECONDS. Prints the lateness in microseconds: how many wake-ups, p50, p99 and the greatest.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { interval = 10 * 1000 * 1000, most = 1000 * 1000 };

static int ascending(const void *left, const void *right) {
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

int main(int count, char **words) {
    static long late[most];
    double seconds = count > 1 ? atof(words[1]) : 10;
    long wanted = (long)(seconds * 1e9 / interval);
    if (wanted < 1 || wanted > most) return 2;
    struct timespec due, now;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (long i = 0; i < wanted; i++) {
        due.tv_nsec += interval;
        if (due.tv_nsec >= 1000000000) {
            due.tv_nsec -= 1000000000;
            due.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        late[i] = (now.tv_sec - due.tv_sec) * 1000000 + (now.tv_nsec - due.tv_nsec) / 1000;
    }
    qsort(late, wanted, sizeof late[0], ascending);
    printf("%ld %ld %ld %ld\n", wanted, late[wanted / 2], late[(wanted * 99) / 100], late[wanted - 1]);
    return 0;
}
