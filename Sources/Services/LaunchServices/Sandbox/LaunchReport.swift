import BatonCore
import BatonTrust
import Dispatch
import Files
import Glibc

/// Hears from the helper whether it became the app: its standard input is one end of a socket, which closes when
/// the app runs (``ConfinedLaunch``).
struct LaunchReport: Sendable {
    private static let limit = 1000

    /// The new process's standard input.
    let childEnd: Int32
    private let ownEnd: Int32?

    /// - Parameter isWanted: false for a process that is started without the helper; it reads from nothing.
    init(isWanted: Bool) throws(BatonError) {
        guard isWanted else {
            childEnd = open("/dev/null", O_RDONLY | O_CLOEXEC)
            ownEnd = nil
            guard childEnd >= 0 else { throw FileFailure.error("open", "/dev/null") }
            return
        }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw FileFailure.error("open", "a socket") }
        (ownEnd, childEnd) = (ends[0], ends[1])
    }

    /// Instead of ``problem()``, when not even the helper could be started.
    func abandon() {
        if let ownEnd { close(ownEnd) }
    }

    /// Waits until the app runs, or does not. Called once.
    /// - Returns: why it does not; nil when it does.
    func problem() async -> String? {
        guard let ownEnd else { return nil }
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                defer { close(ownEnd) }
                var text: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: Self.limit)
                while text.count < Self.limit {
                    let count = read(ownEnd, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    text += buffer.prefix(count)
                }
                continuation.resume(returning: text.isEmpty ? nil : String(decoding: text, as: UTF8.self))
            }
        }
    }
}
