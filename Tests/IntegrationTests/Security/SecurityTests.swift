import Testing

extension Integration {
    /// What strangers, revoked devices, other processes and malformed input get from real daemons.
    ///
    /// They need root, for network namespaces, and fail without.
    @Suite("Security", .serialized, .timeLimit(.minutes(4)))
    enum SecurityTests {}
}
