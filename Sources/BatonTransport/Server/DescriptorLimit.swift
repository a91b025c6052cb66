import Glibc

/// How many descriptors a server may have open.
///
/// The usual soft limit of 1024 is for programs that use `select`; local connections alone could take all of it, and
/// then there would be none for other devices or for the database. Apps get the limit back that the daemon was given.
package struct DescriptorLimit: Sendable, Hashable {
    /// As it was found.
    package var original: UInt64
    /// As it is now.
    package var current: UInt64

    /// Enough for every connection that the daemon allows, several times over.
    static let wanted: UInt64 = 65_536

    /// Raises the soft limit of this process to the hard one, to at most ``wanted``.
    package static func raise() -> DescriptorLimit {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        // The default of every Linux, should the kernel not say.
        guard getrlimit(resource, &limit) == 0 else { return DescriptorLimit(original: 1024, current: 1024) }
        let original = UInt64(limit.rlim_cur)
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(wanted)))
        guard setrlimit(resource, &limit) == 0 else { return DescriptorLimit(original: original, current: original) }
        return DescriptorLimit(original: original, current: UInt64(limit.rlim_cur))
    }
}
