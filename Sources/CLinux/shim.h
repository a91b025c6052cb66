#pragma once
#include <linux/magic.h>
#include <linux/openat2.h>
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
