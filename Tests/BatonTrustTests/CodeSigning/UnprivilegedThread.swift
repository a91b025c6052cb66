import Foundation
import Glibc
import Testing

/// A thread that has no privileges, which is how a person's daemon runs. The kernel keeps credentials for each thread.
enum UnprivilegedThread {
    /// The user “nobody”, who owns only the files that a test gives them; the user of the tests, when that is not root.
    static let userID: uid_t = geteuid() == 0 ? 65534 : geteuid()

    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        if geteuid() == 0 { try dropPrivileges() }
                        return try body()
                    })
            }
        }
    }

    /// The functions of the C library would change every thread of the process; the calls behind them change this one.
    private static func dropPrivileges() throws {
        #if arch(x86_64)
        let (setGroups, setGroupID, setUserID) = (116, 119, 117)
        #else
        let (setGroups, setGroupID, setUserID) = (159, 149, 147)
        #endif
        typealias Syscall = @convention(c) (Int, Int, Int, Int) -> Int
        let syscall = unsafeBitCast(try #require(dlsym(nil, "syscall")), to: Syscall.self)
        let id = Int(userID)
        try #require(syscall(setGroups, 0, 0, 0) == 0)
        try #require(syscall(setGroupID, id, id, id) == 0)
        try #require(syscall(setUserID, id, id, id) == 0)
    }
}
