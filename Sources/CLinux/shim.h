#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

/* As unistd.h has it, whose types would count as this module's. */
long syscall(long number, ...);

/* glibc has no function for this system call, and Swift cannot call `syscall`. */
static inline int baton_openat2(int directory, const char *path, unsigned long long flags, unsigned long long mode,
                                unsigned long long resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

/* RENAME_NOREPLACE. glibc declares renameat2 only for GNU programs, which Swift's module of glibc may not be. */
static inline int baton_rename_exclusively(int from, const char *old_name, int to, const char *new_name) {
    return (int)syscall(SYS_renameat2, from, old_name, to, new_name, 1u);
}

/* As renameat2. */
static inline int baton_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

/* RENAME_EXCHANGE: both names change places, so that neither is missing at any time. As renameat2. */
static inline int baton_rename_exchanging(int from, const char *old_name, int to, const char *new_name) {
    return (int)syscall(SYS_renameat2, from, old_name, to, new_name, 2u);
}

/* System calls that the C library has no functions for, and those with arguments of varying number, which Swift cannot
   call. Each returns -1 and sets errno on failure. */

/* The version of Landlock that the kernel has; -1 without it. */
static inline int baton_landlock_version(void) {
    return (int)syscall(444, NULL, (size_t)0, 1u);
}

/* A descriptor of a new set of rules. `scoped` is what version 6 brought. */
static inline int baton_landlock_create(uint64_t handled, uint64_t scoped, int version) {
    struct { uint64_t fs, net, scoped; } attributes = {handled, 0, scoped};
    size_t size = version >= 6 ? sizeof attributes : sizeof attributes.fs;
    return (int)syscall(444, &attributes, size, 0u);
}

/* Allows `access` at and below what `parent` is open on. */
static inline int baton_landlock_allow(int ruleset, uint64_t access, int parent) {
    struct __attribute__((packed)) { uint64_t access; int32_t parent; } rule = {access, parent};
    return (int)syscall(445, ruleset, 1, &rule, 0u);
}

static inline int baton_landlock_restrict(int ruleset) {
    return (int)syscall(446, ruleset, 0u);
}

static inline int baton_set_no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* A filter of system calls that lets all of them pass. */
static inline int baton_add_open_filter(void) {
    struct sock_filter instruction = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = 1, .filter = &instruction};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
