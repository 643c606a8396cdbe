// The WebSocket echo that all generators of `scripts/bench load` play against: one thread, epoll, no allocation per
// message. `GET /count` answers "connections messages", so that round trips are counted at one place for all of them.
// Who connects to `/fanout` is sent small messages as fast as it takes them.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { read_size = 1 << 18, descriptor_limit = 1 << 20 };

struct connection {
    int is_open;  // Whether the handshake is done.
    int is_flooded;  // Whether it is sent messages without asking.
    size_t flooded;  // How much of the flood's bytes it has been sent in this round.
    char *input, *output;
    size_t input_length, output_length;
};

static struct connection *connections[descriptor_limit];
static char scratch[read_size * 2], replies[read_size * 2 + 16];
static char flood[1 << 16];
static size_t flood_length, flood_messages;
static unsigned long long open_connections, messages;
static int poller;

// SHA-1 (RFC 3174) of a text below 119 bytes, which a handshake key with its suffix is.
static void sha1(const char *text, size_t length, uint8_t digest[20]) {
    uint8_t block[128] = {0};
    uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}, w[80];
    size_t size = length + 9 <= 64 ? 64 : 128;
    memcpy(block, text, length);
    block[length] = 0x80;
    block[size - 1] = (uint8_t)(length << 3);
    block[size - 2] = (uint8_t)(length >> 5);
    for (size_t start = 0; start < size; start += 64) {
        for (int t = 0; t < 16; t++) {
            uint32_t word;
            memcpy(&word, block + start + t * 4, 4);
            w[t] = ntohl(word);
        }
        for (int t = 16; t < 80; t++) {
            uint32_t x = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16];
            w[t] = x << 1 | x >> 31;
        }
        uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
        for (int t = 0; t < 80; t++) {
            uint32_t f = t < 20 ? (b & c) | (~b & d) : t < 40 ? b ^ c ^ d : t < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
            uint32_t k = t < 20 ? 0x5A827999 : t < 40 ? 0x6ED9EBA1 : t < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
            uint32_t next = (a << 5 | a >> 27) + f + e + k + w[t];
            e = d, d = c, c = b << 30 | b >> 2, b = a, a = next;
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
    }
    for (int i = 0; i < 20; i++) digest[i] = (uint8_t)(h[i / 4] >> (24 - i % 4 * 8));
}

static void base64(const uint8_t *bytes, size_t length, char *text) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        uint32_t group = bytes[i] << 16 | (i + 1 < length ? bytes[i + 1] << 8 : 0) | (i + 2 < length ? bytes[i + 2] : 0);
        for (int j = 0; j < 4; j++) *text++ = i + (size_t)j <= length ? letters[group >> (18 - j * 6) & 63] : '=';
    }
    *text = 0;
}

static void close_connection(int fd) {
    struct connection *c = connections[fd];
    if (c->is_open) open_connections--;
    free(c->input);
    free(c->output);
    free(c);
    connections[fd] = NULL;
    close(fd);
}

// Sends what can be sent now and keeps the rest. Returns 0 if the connection is gone.
static int send_all(int fd, const char *bytes, size_t length) {
    struct connection *c = connections[fd];
    if (c->output_length == 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) return 0;
        if (sent > 0) bytes += sent, length -= (size_t)sent;
        if (length == 0) return 1;
        epoll_ctl(poller, EPOLL_CTL_MOD, fd, &(struct epoll_event){.events = EPOLLIN | EPOLLOUT, .data.fd = fd});
    }
    if (c->output_length + length > 1 << 24) return 0;
    c->output = realloc(c->output, c->output_length + length);
    memcpy(c->output + c->output_length, bytes, length);
    c->output_length += length;
    return 1;
}

static int flush(int fd) {
    struct connection *c = connections[fd];
    ssize_t sent = send(fd, c->output, c->output_length, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN;
    c->output_length -= (size_t)sent;
    memmove(c->output, c->output + sent, c->output_length);
    if (c->output_length > 0) return 1;
    free(c->output);
    c->output = NULL;
    epoll_ctl(poller, EPOLL_CTL_MOD, fd, &(struct epoll_event){.events = EPOLLIN, .data.fd = fd});
    return 1;
}

// Makes the bytes that are sent to those who connect to /fanout: whole messages of 32 bytes.
static void make_flood(void) {
    static const char payload[33] = "{\"type\":\"post\",\"text\":\"Hello!\"}";
    while (flood_length + 2 + 32 <= sizeof flood) {
        flood[flood_length] = (char)0x81;
        flood[flood_length + 1] = 32;
        memcpy(flood + flood_length + 2, payload, 32);
        flood_length += 34;
        flood_messages++;
    }
}

// Sends as much as the peer takes now, but no more than two rounds, so that each connection gets its turn.
static int send_flood(int fd) {
    struct connection *c = connections[fd];
    for (int round = 0; round < 2; round++) {
        ssize_t sent = send(fd, flood + c->flooded, flood_length - c->flooded, MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN;
        c->flooded += (size_t)sent;
        if (c->flooded < flood_length) return 1;
        c->flooded = 0;
        messages += flood_messages;
    }
    return 1;
}

// Answers an HTTP request. Returns how many bytes it had, 0 if it is not whole, -1 if the connection is to be closed.
static ssize_t answer(int fd, char *bytes, size_t length) {
    char *end = memmem(bytes, length, "\r\n\r\n", 4), response[512];
    if (!end) return length > 16384 ? -1 : 0;
    *end = 0;
    if (strncmp(bytes, "GET /count", 10) == 0) {
        char body[64];
        int size = snprintf(body, sizeof body, "%llu %llu\n", open_connections, messages);
        int total = snprintf(
            response, sizeof response, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", size, body);
        send(fd, response, (size_t)total, MSG_NOSIGNAL);
        return -1;
    }
    char *key = strcasestr(bytes, "\r\nSec-WebSocket-Key:"), text[119];
    if (!key) return -1;
    key += 20;
    while (*key == ' ') key++;
    size_t key_length = strcspn(key, " \r\n");
    if (key_length > 64) return -1;
    int size = snprintf(text, sizeof text, "%.*s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", (int)key_length, key);
    uint8_t digest[20];
    char accept[32];
    sha1(text, (size_t)size, digest);
    base64(digest, 20, accept);
    size = snprintf(
        response, sizeof response,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
        accept);
    connections[fd]->is_open = 1;
    open_connections++;
    if (!send_all(fd, response, (size_t)size)) return -1;
    if (strncmp(bytes, "GET /fanout", 11) == 0) {
        connections[fd]->is_flooded = 1;
        epoll_ctl(poller, EPOLL_CTL_MOD, fd, &(struct epoll_event){.events = EPOLLIN | EPOLLOUT, .data.fd = fd});
    }
    return end + 4 - bytes;
}

// Echoes the whole frames of a buffer. Returns how many bytes they had, -1 if the connection is to be closed.
static ssize_t echo(int fd, char *bytes, size_t length) {
    size_t position = 0, reply = 0;
    while (length - position >= 6) {
        uint8_t *frame = (uint8_t *)bytes + position;
        uint64_t size = frame[1] & 127;
        size_t head = 6;
        if (!(frame[1] & 128)) return -1;
        if (size == 126) {
            head = 8;
            if (length - position < head) break;
            size = (uint64_t)frame[2] << 8 | frame[3];
        } else if (size == 127) {
            return -1;
        }
        if (length - position < head + size) break;
        uint8_t *mask = frame + head - 4, *payload = frame + head;
        uint8_t opcode = frame[0] & 15;
        if (opcode == 8) return -1;
        char *out = replies + reply;
        size_t out_head = size < 126 ? 2 : 4;
        out[0] = (char)(opcode == 9 ? 0x8A : frame[0]);
        if (out_head == 2) {
            out[1] = (char)size;
        } else {
            out[1] = 126, out[2] = (char)(size >> 8), out[3] = (char)size;
        }
        for (uint64_t i = 0; i < size; i++) out[out_head + i] = (char)(payload[i] ^ mask[i & 3]);
        if (opcode != 10) reply += out_head + size;
        if (opcode == 1 || opcode == 2) messages++;
        position += head + size;
    }
    if (reply > 0 && !send_all(fd, replies, reply)) return -1;
    return (ssize_t)position;
}

static void receive(int fd) {
    struct connection *c = connections[fd];
    memcpy(scratch, c->input, c->input_length);
    ssize_t got = recv(fd, scratch + c->input_length, read_size, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return close_connection(fd);
    size_t length = c->input_length + (size_t)got, position = 0;
    if (!c->is_open) {
        ssize_t used = answer(fd, scratch, length);
        if (used < 0) return close_connection(fd);
        position = (size_t)used;
    }
    if (c->is_open && position < length) {
        ssize_t used = echo(fd, scratch + position, length - position);
        if (used < 0) return close_connection(fd);
        position += (size_t)used;
    }
    c->input_length = length - position;
    if (c->input_length > read_size) return close_connection(fd);
    if (c->input_length > 0) {
        c->input = realloc(c->input, c->input_length);
        memcpy(c->input, scratch + position, c->input_length);
    } else if (c->input) {
        free(c->input);
        c->input = NULL;
    }
}

int main(void) {
    make_flood();
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    signal(SIGPIPE, SIG_IGN);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096) ||
        getsockname(listener, (struct sockaddr *)&address, &size)) {
        perror("echo_server: cannot listen");
        return 1;
    }
    poller = epoll_create1(0);
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &(struct epoll_event){.events = EPOLLIN, .data.fd = listener});
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        struct epoll_event events[512];
        int count = epoll_wait(poller, events, 512, -1);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == listener) {
                int accepted;
                while ((accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                    if (accepted >= descriptor_limit) {
                        close(accepted);
                        continue;
                    }
                    setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
                    connections[accepted] = calloc(1, sizeof(struct connection));
                    epoll_ctl(
                        poller, EPOLL_CTL_ADD, accepted, &(struct epoll_event){.events = EPOLLIN, .data.fd = accepted});
                }
                continue;
            }
            if (connections[fd] && events[i].events & EPOLLOUT) {
                int is_well = connections[fd]->is_flooded ? send_flood(fd) : flush(fd);
                if (!is_well) close_connection(fd);
            }
            if (connections[fd] && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) receive(fd);
        }
    }
}
