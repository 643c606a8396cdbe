#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// What OpenSSL declares as macros, which Swift does not see.

static inline int repartee_tls_set_versions(SSL_CTX *context, int oldest) {
    return SSL_CTX_set_min_proto_version(context, oldest);
}

static inline void repartee_tls_set_defaults(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

// Sessions go to whom the callback tells, and nowhere else.
static inline void repartee_tls_give_sessions(SSL_CTX *context, int (*callback)(SSL *, SSL_SESSION *)) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, callback);
}

static inline int repartee_tls_add_to_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int repartee_tls_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}

// An empty buffer means that more may come, not the end.
static inline void repartee_tls_never_ends(BIO *buffer) {
    BIO_set_mem_eof_return(buffer, -1);
}
