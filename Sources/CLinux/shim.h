#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

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

/* FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE: a range of a file becomes a hole. As renameat2. */
static inline int baton_punch_hole(int descriptor, long offset, long length) {
    return (int)syscall(SYS_fallocate, descriptor, 3, offset, length);
}

/* Copies a range of a file to another one, without its bytes coming through this process where the file system can: returns how many
   bytes, -1 with errno set. */
static inline long baton_copy_range(int from, long from_offset, int to, long to_offset, size_t length) {
    int64_t source = from_offset, target = to_offset;
    return syscall(SYS_copy_file_range, from, &source, to, &target, length, 0u);
}

/* FICLONE: a file gets all blocks of another one, shared until either is written to. 0, or -1 where the file system does not share. */
static inline int baton_clone(int from, int to) { return (int)syscall(SYS_ioctl, to, 0x40049409u, from); }

/* SYNC_FILE_RANGE_WRITE: begins to write a range to the disk, so that a later fsync has less to wait for. */
static inline void baton_begin_writing(int descriptor, long offset, long length) {
    (void)syscall(SYS_sync_file_range, descriptor, offset, length, 2u);
}

/* RENAME_EXCHANGE: both names change places, so that neither is missing at any time. As renameat2. */
static inline int baton_rename_exchanging(int from, const char *old_name, int to, const char *new_name) {
    return (int)syscall(SYS_renameat2, from, old_name, to, new_name, 2u);
}

/* The handle of the file system for what a directory holds, without following a link: its type (4 bytes) and up to 128 bytes. An empty
   name means the directory itself. Returns how many bytes were written. */
static inline int baton_file_handle(int directory, const char *name, uint8_t *bytes) {
    struct { uint32_t size; int32_t type; uint8_t bytes[128]; } handle = {.size = 128};
    int mount = 0;
    long failed = syscall(SYS_name_to_handle_at, directory, name, &handle, &mount, 0x1000);
    /* Some file systems have handles that name a file and cannot open it (AT_HANDLE_FID). */
    if (failed && errno == EOPNOTSUPP)
        failed = syscall(SYS_name_to_handle_at, directory, name, &handle, &mount, 0x1000 | 0x200);
    if (failed || handle.size > 128) return -1;
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)((uint32_t)handle.type >> (8 * i));
    for (uint32_t i = 0; i < handle.size; i++) bytes[4 + i] = handle.bytes[i];
    return 4 + (int)handle.size;
}

/* The first or the last moment that there is for one before or after all of them: file systems know later years than 2262. */
static inline int64_t baton_nanoseconds(uint64_t seconds, uint64_t rest) {
    int64_t time;
    if (!__builtin_mul_overflow((int64_t)seconds, (int64_t)1000000000, &time)
        && !__builtin_add_overflow(time, (int64_t)(uint32_t)rest, &time)) return time;
    return (int64_t)seconds < 0 ? INT64_MIN : INT64_MAX;
}

/* What a directory holds under a name, without following a link; an empty name means the directory itself. In this order: mode (with
   0x10000 for what is mounted there, and the device in the upper 32 bits), links, owner, number, size, and in nanoseconds since 1970 when
   it was modified, changed and made (0 where that is not known). `stat` is each module's that imports it. */
static inline int baton_status(int directory, const char *name, int64_t *values) {
    uint64_t words[32] = {0};
    /* AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH; STATX_BASIC_STATS and STATX_BTIME. */
    if (syscall(SYS_statx, directory, name, 0x1100, 0xfff, words)) return -1;
    uint32_t halves[10];
    for (int i = 0; i < 10; i++) halves[i] = (uint32_t)(words[i / 2] >> (32 * (i % 2)));
    /* STATX_ATTR_MOUNT_ROOT, since Linux 5.8. */
    uint64_t device = (uint32_t)((uint32_t)words[17] << 20 ^ (uint32_t)(words[17] >> 32));
    values[0] = (int64_t)((halves[7] & 0xffff) | (words[1] & 0x2000 ? 0x10000 : 0) | device << 32);
    values[1] = halves[4];
    values[2] = halves[5];
    values[3] = (int64_t)words[4];
    values[4] = (int64_t)words[5];
    values[5] = baton_nanoseconds(words[14], words[15]);
    values[6] = baton_nanoseconds(words[12], words[13]);
    values[7] = halves[0] & 0x800 ? baton_nanoseconds(words[10], words[11]) : 0;
    return 0;
}

/* A pipe whose ends go to no other program (O_CLOEXEC). As renameat2. */
static inline int baton_pipe(int *ends) { return (int)syscall(SYS_pipe2, ends, 02000000); }

/* One descriptor leads where another one does, and goes to no other program (O_CLOEXEC). As renameat2. */
static inline int baton_redirect(int descriptor, int target) {
    return (int)syscall(SYS_dup3, target, descriptor, 02000000);
}

/* The room that what is there takes, in bytes; -1 where nothing is. */
static inline int64_t baton_stored_bytes(int directory, const char *name) {
    uint64_t words[32] = {0};
    /* AT_SYMLINK_NOFOLLOW; STATX_BLOCKS. */
    if (syscall(SYS_statx, directory, name, 0x100, 0x400, words)) return -1;
    return (int64_t)words[6] * 512;
}

/* When what is there was read or written last, in nanoseconds since 1970; -1 where nothing is. */
static inline int64_t baton_last_use(int directory, const char *name) {
    uint64_t words[32] = {0};
    /* AT_SYMLINK_NOFOLLOW; STATX_BASIC_STATS. */
    if (syscall(SYS_statx, directory, name, 0x100, 0x7ff, words)) return -1;
    int64_t read = baton_nanoseconds(words[8], words[9]);
    int64_t written = baton_nanoseconds(words[14], words[15]);
    return read > written ? read : written;
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

/* No core dump, and no reading of this process's memory by others of its user. */
static inline void baton_hide_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* A filter of system calls that lets all of them pass. */
static inline int baton_add_open_filter(void) {
    struct sock_filter instruction = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = 1, .filter = &instruction};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#if defined(__x86_64__)
#define BATON_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define BATON_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

/* A filter of system calls for a confined app, which no right to files restrains: calls that change another process's limits, priority
   or processors fail with EPERM, and so does a signal to everybody. 0 and `own`, the number of the app's first process, name the app; a
   filter cannot know the numbers of its threads and later processes, so those have to say 0, as the C library does. Calls of another
   architecture's interface, whose numbers differ, fail with ENOSYS. */
static inline int baton_add_app_filter(uint32_t own) {
#ifndef BATON_AUDIT_ARCH
    (void)own;
    return baton_add_open_filter();
#else
    enum { refused = SECCOMP_RET_ERRNO | EPERM, missing = SECCOMP_RET_ERRNO | ENOSYS };
    /* Of the low half of an argument; both architectures have it first. */
#define BATON_ARGUMENT(i) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[i]))
#define BATON_RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
    /* The argument is a process: only the app's own. */
#define BATON_OWN_PROCESS(number, i)                              \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 5),            \
    BATON_ARGUMENT(i),                                            \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0),                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 1, 0),               \
    BATON_RETURN(refused),                                        \
    BATON_RETURN(SECCOMP_RET_ALLOW)
    /* The first argument says what the second one names: nobody names the user. */
#define BATON_OWN_PROCESSES(number, user)                         \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 7),            \
    BATON_ARGUMENT(0),                                            \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, user, 3, 0),              \
    BATON_ARGUMENT(1),                                            \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0),                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 1, 0),               \
    BATON_RETURN(refused),                                        \
    BATON_RETURN(SECCOMP_RET_ALLOW)
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BATON_AUDIT_ARCH, 1, 0),
        BATON_RETURN(missing),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        /* The interface x32. */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BATON_RETURN(missing),
#endif
        BATON_OWN_PROCESS(SYS_prlimit64, 0),
        BATON_OWN_PROCESS(SYS_sched_setaffinity, 0),
        BATON_OWN_PROCESS(SYS_sched_setscheduler, 0),
        BATON_OWN_PROCESS(SYS_sched_setparam, 0),
        BATON_OWN_PROCESS(SYS_sched_setattr, 0),
        BATON_OWN_PROCESS(SYS_migrate_pages, 0),
        BATON_OWN_PROCESS(SYS_move_pages, 0),
        /* PRIO_USER, IOPRIO_WHO_USER. */
        BATON_OWN_PROCESSES(SYS_setpriority, 2),
        BATON_OWN_PROCESSES(SYS_ioprio_set, 3),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 0, 3),
        BATON_ARGUMENT(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 0, 1),
        BATON_RETURN(refused),
        BATON_RETURN(SECCOMP_RET_ALLOW),
    };
#undef BATON_ARGUMENT
#undef BATON_RETURN
#undef BATON_OWN_PROCESS
#undef BATON_OWN_PROCESSES
    struct sock_fprog program = {.len = sizeof instructions / sizeof *instructions, .filter = instructions};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

/* A filter of system calls for a program that reads one document and answers, in addition to that of an app: no sockets, no other
   processes, nothing that outlives it. `own` is its number. Threads are made as always; where the C library asks for the newer call,
   it is told that there is none, and takes the older one, whose flags a filter can read. */
static inline int baton_add_import_filter(uint32_t own) {
#ifndef BATON_AUDIT_ARCH
    (void)own;
    errno = ENOSYS;
    return -1;
#else
    enum { refused = SECCOMP_RET_ERRNO | EPERM, missing = SECCOMP_RET_ERRNO | ENOSYS };
#define BATON_REFUSE(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, refused)
    /* The argument is a process: only the program's own. */
#define BATON_OWN(number)                                                                       \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4),                                          \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 0, 1),                                             \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),                                               \
    BPF_STMT(BPF_RET | BPF_K, refused)
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BATON_AUDIT_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, missing),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, missing),
        BATON_REFUSE(SYS_fork),
        BATON_REFUSE(SYS_vfork),
        BATON_REFUSE(SYS_chmod),
        BATON_REFUSE(SYS_chown),
        BATON_REFUSE(SYS_lchown),
        BATON_REFUSE(SYS_utime),
        BATON_REFUSE(SYS_utimes),
        BATON_REFUSE(SYS_futimesat),
#endif
        BATON_REFUSE(SYS_socket),
        BATON_REFUSE(SYS_connect),
        BATON_REFUSE(SYS_bind),
        /* Before Landlock 3 nothing else refuses it. */
        BATON_REFUSE(SYS_truncate),
        BATON_REFUSE(SYS_ptrace),
        BATON_REFUSE(SYS_process_vm_readv),
        BATON_REFUSE(SYS_process_vm_writev),
        BATON_REFUSE(SYS_tkill),
        BATON_REFUSE(SYS_rt_sigqueueinfo),
        BATON_REFUSE(SYS_fchmod),
        BATON_REFUSE(SYS_fchmodat),
        BATON_REFUSE(SYS_fchown),
        BATON_REFUSE(SYS_fchownat),
        BATON_REFUSE(SYS_utimensat),
        BATON_REFUSE(SYS_setxattr),
        BATON_REFUSE(SYS_lsetxattr),
        BATON_REFUSE(SYS_fsetxattr),
        BATON_REFUSE(SYS_removexattr),
        BATON_REFUSE(SYS_lremovexattr),
        BATON_REFUSE(SYS_fremovexattr),
        BATON_REFUSE(SYS_shmget),
        BATON_REFUSE(SYS_shmat),
        BATON_REFUSE(SYS_msgget),
        BATON_REFUSE(SYS_semget),
        BATON_REFUSE(SYS_mq_open),
        BATON_REFUSE(SYS_mount),
        BATON_REFUSE(SYS_unshare),
        BATON_REFUSE(SYS_setns),
        BATON_REFUSE(SYS_add_key),
        BATON_REFUSE(SYS_request_key),
        BATON_REFUSE(SYS_keyctl),
        BATON_REFUSE(SYS_bpf),
        BATON_REFUSE(SYS_perf_event_open),
        BATON_REFUSE(SYS_userfaultfd),
        /* By number, as headers may be older: pidfd_send_signal, io_uring_setup, pidfd_open, pidfd_getfd, fchmodat2,
           setxattrat, removexattrat, file_setattr. */
        BATON_REFUSE(424),
        BATON_REFUSE(425),
        BATON_REFUSE(434),
        BATON_REFUSE(438),
        BATON_REFUSE(452),
        BATON_REFUSE(463),
        BATON_REFUSE(466),
        BATON_REFUSE(469),
        /* fcntl that names whom a descriptor's signals go to: F_SETOWN, F_SETOWN_EX, F_SETSIG. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 6),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 8, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 15, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 10, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, refused),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        /* clone3. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, missing),
        /* Threads (CLONE_THREAD) and nothing else. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x00010000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, refused),
        BATON_OWN(SYS_kill),
        BATON_OWN(SYS_tgkill),
        BATON_OWN(SYS_rt_tgsigqueueinfo),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
#undef BATON_REFUSE
#undef BATON_OWN
    struct sock_fprog program = {.len = sizeof instructions / sizeof *instructions, .filter = instructions};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}
