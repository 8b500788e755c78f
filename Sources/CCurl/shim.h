#include <curl/curl.h>

// libcurl's setters and getters take any number of arguments of any type, which Swift cannot call.

static inline CURLcode juliet_curl_set_number(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode juliet_curl_set_size(CURL *curl, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode juliet_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode juliet_curl_set_pointer(CURL *curl, CURLoption option, void *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode juliet_curl_set_callback(CURL *curl, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode juliet_curl_get_status(CURL *curl, long *status) {
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
}

// How many bytes of requests were sent, those of earlier connections of the same transfer included.
static inline CURLcode juliet_curl_get_request_size(CURL *curl, long *size) {
    return curl_easy_getinfo(curl, CURLINFO_REQUEST_SIZE, size);
}

// Has a transfer that ends while a host's name is looked up not wait for the thread that does it. Before 7.87 libcurl
// always waits.
static inline void juliet_curl_set_quick_exit(CURL *curl) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static inline CURLcode juliet_curl_get_exchange(CURL *curl, char **exchange) {
    return curl_easy_getinfo(curl, CURLINFO_PRIVATE, exchange);
}
