// The least that a generator can do: one thread and epoll, one message in flight per user, until it is ended.
// Usage: epoll_client PORT USERS [idle]
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

struct user {
    int fd;
    unsigned sequence;
    size_t length;
    char input[512];
};

static uint64_t random_state = 0x9E3779B97F4A7C15;

static uint32_t next_mask(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32);
}

static void fail(const char *what) {
    fprintf(stderr, "epoll_client: %s: %s\n", what, strerror(errno));
    exit(1);
}

// Sends the message that the other generators send too, masked (RFC 6455, section 5.3).
static void say(struct user *user, int number) {
    char payload[126];
    uint8_t frame[132];
    int size = snprintf(
        payload, sizeof payload,
        "{\"type\":\"message\",\"user\":%d,\"seq\":%u,\"text\":\"Where is my order? It was to arrive on Monday.\"}", number,
        ++user->sequence);
    uint32_t mask = next_mask();
    frame[0] = 0x81;
    frame[1] = (uint8_t)(0x80 | size);
    memcpy(frame + 2, &mask, 4);
    for (int i = 0; i < size; i++) frame[6 + i] = (uint8_t)payload[i] ^ frame[2 + (i & 3)];
    if (send(user->fd, frame, (size_t)size + 6, MSG_NOSIGNAL) != size + 6) fail("cannot send");
}

static void open_user(struct user *user, int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char buffer[1024];
    size_t length = 0;
    user->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (user->fd < 0 || connect(user->fd, (struct sockaddr *)&address, sizeof address)) fail("cannot connect");
    setsockopt(user->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    int size = snprintf(
        buffer, sizeof buffer,
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        port);
    if (send(user->fd, buffer, (size_t)size, MSG_NOSIGNAL) != size) fail("cannot send");
    while (!memmem(buffer, length, "\r\n\r\n", 4)) {
        ssize_t got = recv(user->fd, buffer + length, sizeof buffer - length, 0);
        if (got <= 0) fail("no handshake");
        length += (size_t)got;
    }
}

// Takes what came; answers a whole echo of the last message with the next one.
static void receive(struct user *user, int number) {
    ssize_t got = recv(user->fd, user->input + user->length, sizeof user->input - user->length, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) fail("the server closed");
    user->length += (size_t)got;
    if (user->length < 2 || user->length < 2 + ((size_t)user->input[1] & 127)) return;
    char *sequence = memmem(user->input, user->length, "\"seq\":", 6);
    if (!sequence || strtoul(sequence + 6, NULL, 10) != user->sequence) {
        errno = EPROTO;
        fail("not the echo");
    }
    user->length = 0;
    say(user, number);
}

int main(int count, char **arguments) {
    if (count < 3) return fprintf(stderr, "usage: epoll_client PORT USERS [idle]\n"), 2;
    int port = atoi(arguments[1]), users = atoi(arguments[2]), is_idle = count > 3;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    struct user *all = calloc((size_t)users, sizeof *all);
    int poller = epoll_create1(0);
    for (int i = 0; i < users; i++) {
        open_user(&all[i], port);
        epoll_ctl(poller, EPOLL_CTL_ADD, all[i].fd, &(struct epoll_event){.events = EPOLLIN, .data.u32 = (uint32_t)i});
    }
    if (!is_idle)
        for (int i = 0; i < users; i++) say(&all[i], i);
    for (;;) {
        struct epoll_event events[512];
        int ready = epoll_wait(poller, events, 512, -1);
        for (int i = 0; i < ready; i++) receive(&all[events[i].data.u32], (int)events[i].data.u32);
    }
}
