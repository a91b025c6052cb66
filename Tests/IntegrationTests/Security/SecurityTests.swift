import Testing

extension Integration {
    /// Strangers, revoked devices, other processes and malformed input against real daemons.
    ///
    /// They need root, for network namespaces, and fail without.
    @Suite("Security", .serialized, .timeLimit(.minutes(4)))
    enum SecurityTests {}
}
