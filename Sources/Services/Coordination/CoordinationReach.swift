package import AppSessions
package import BatonTransport
package import FileCoordination

/// Which files a process may name when it coordinates: those that it may read.
package protocol CoordinationReach: Sendable {
    /// Asked once for each attached process.
    /// - Returns: directories with all that is below them; nil for a process that is not confined, which may name any.
    func paths(of app: AppCaller, _ process: PeerProcess) -> [CoordinatedPath]?
}
