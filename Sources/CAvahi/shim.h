#pragma once
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <ifaddrs.h>
#include <avahi-core/core.h>
#include <avahi-core/publish.h>
#include <avahi-core/lookup.h>
#include <avahi-core/log.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/address.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>

/* Records hold a union and reference counts that Swift cannot express well: these few functions add and read them. */

/* The names are drawn from 80 random bits, so no other responder can have them: RFC 6762, section 8.1, says that probing
   should then be skipped. Conflicts are still detected. */
#define BATON_AVAHI_UNIQUE (AVAHI_PUBLISH_UNIQUE | AVAHI_PUBLISH_NO_PROBE)

static inline int baton_avahi_add(AvahiServer *server, AvahiSEntryGroup *group, AvahiIfIndex interface,
                                  AvahiPublishFlags flags, AvahiRecord *record) {
    int result = record ? avahi_server_add(server, group, interface, AVAHI_PROTO_UNSPEC, flags, record)
                        : AVAHI_ERR_NO_MEMORY;
    if (record) avahi_record_unref(record);
    return result;
}

static inline int baton_avahi_add_pointer(AvahiServer *server, AvahiSEntryGroup *group, const char *type,
                                          const char *name, uint32_t ttl) {
    AvahiRecord *record = avahi_record_new_full(type, AVAHI_DNS_CLASS_IN, AVAHI_DNS_TYPE_PTR, ttl);
    if (record) record->data.ptr.name = avahi_strdup(name);
    return baton_avahi_add(server, group, AVAHI_IF_UNSPEC, 0, record);
}

/* Names the host and port. */
static inline int baton_avahi_add_server(AvahiServer *server, AvahiSEntryGroup *group, const char *name,
                                         const char *host, uint16_t port, uint32_t ttl) {
    AvahiRecord *record = avahi_record_new_full(name, AVAHI_DNS_CLASS_IN, AVAHI_DNS_TYPE_SRV, ttl);
    if (record) {
        record->data.srv.name = avahi_strdup(host);
        record->data.srv.port = port;
    }
    return baton_avahi_add(server, group, AVAHI_IF_UNSPEC, BATON_AVAHI_UNIQUE, record);
}

/* Takes over `text`. */
static inline int baton_avahi_add_text(AvahiServer *server, AvahiSEntryGroup *group, const char *name,
                                       AvahiStringList *text, uint32_t ttl) {
    AvahiRecord *record = avahi_record_new_full(name, AVAHI_DNS_CLASS_IN, AVAHI_DNS_TYPE_TXT, ttl);
    if (record)
        record->data.txt.string_list = text;
    else
        avahi_string_list_free(text);
    return baton_avahi_add(server, group, AVAHI_IF_UNSPEC, BATON_AVAHI_UNIQUE, record);
}

static inline int baton_avahi_add_host_address(AvahiServer *server, AvahiSEntryGroup *group, AvahiIfIndex interface,
                                               const char *host, const AvahiAddress *address, uint32_t ttl) {
    int is_ipv4 = address->proto == AVAHI_PROTO_INET;
    AvahiRecord *record = avahi_record_new_full(
        host, AVAHI_DNS_CLASS_IN, is_ipv4 ? AVAHI_DNS_TYPE_A : AVAHI_DNS_TYPE_AAAA, ttl);
    if (record && is_ipv4) record->data.a.address = address->data.ipv4;
    if (record && !is_ipv4) record->data.aaaa.address = address->data.ipv6;
    return baton_avahi_add(server, group, interface, BATON_AVAHI_UNIQUE | AVAHI_PUBLISH_ALLOW_MULTIPLE, record);
}

static inline AvahiSRecordBrowser *baton_avahi_browse(AvahiServer *server, const char *name, uint16_t type,
                                                      AvahiSRecordBrowserCallback callback, void *userdata) {
    AvahiKey *key = avahi_key_new(name, AVAHI_DNS_CLASS_IN, type);
    if (!key) return 0;
    AvahiSRecordBrowser *browser = avahi_s_record_browser_new(
        server, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, key, AVAHI_LOOKUP_USE_MULTICAST, callback, userdata);
    avahi_key_unref(key);
    return browser;
}

static inline uint16_t baton_avahi_record_type(const AvahiRecord *record) { return record->key->type; }
static inline const char *baton_avahi_pointer_name(const AvahiRecord *record) { return record->data.ptr.name; }
static inline const char *baton_avahi_server_host(const AvahiRecord *record) { return record->data.srv.name; }
static inline uint16_t baton_avahi_server_port(const AvahiRecord *record) { return record->data.srv.port; }
static inline AvahiStringList *baton_avahi_text(const AvahiRecord *record) { return record->data.txt.string_list; }

static inline AvahiAddress baton_avahi_record_address(const AvahiRecord *record) {
    AvahiAddress address;
    if (record->key->type == AVAHI_DNS_TYPE_A) {
        address.proto = AVAHI_PROTO_INET;
        address.data.ipv4 = record->data.a.address;
    } else {
        address.proto = AVAHI_PROTO_INET6;
        address.data.ipv6 = record->data.aaaa.address;
    }
    return address;
}

static inline AvahiWatch *baton_avahi_watch(const AvahiPoll *poll, int descriptor, AvahiWatchCallback callback,
                                            void *userdata) {
    return poll->watch_new(poll, descriptor, AVAHI_WATCH_IN, callback, userdata);
}

static inline void baton_avahi_watch_free(const AvahiPoll *poll, AvahiWatch *watch) { poll->watch_free(watch); }

/* Wakes when the wall clock is set or the machine resumes: the only way to be told of both without polling. */
static inline int baton_arm_clock_watch(int timer) {
    struct itimerspec far = {.it_value = {.tv_sec = 0x7fffffff}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &far, 0);
}
