package import BatonCore
package import Foundation
package import NIOSSL
import Synchronization

/// The certificate that devices see: the server's, or that of the proxy before it. It is read again when its files change.
package final class ServerCertificate: Sendable {
    /// The result of looking at the files.
    package enum Change: Sendable {
        case none
        case replaced(fingerprint: Data)
        /// The new one cannot be used; the old one stays in use.
        case refused(BatonError)
    }

    /// How long what was signed for the certificate before is taken: connections from before stay open, and devices sign
    /// once in an hour.
    private static let overlap = Duration.seconds(3600)

    /// A file as it was when it was read.
    private struct Stamp: Equatable {
        var number: String?
        var size: String?
        var changed: Date?

        /// Nil when it is not there.
        init?(_ path: String) {
            // The target of a link is read, since tools that renew certificates change links.
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else { return nil }
            number = attributes[.systemFileNumber].map { "\($0)" }
            size = attributes[.size].map { "\($0)" }
            changed = attributes[.modificationDate] as? Date
        }
    }

    private struct State {
        var context: NIOSSLContext?
        var fingerprint: Data
        var expiry: Int
        var stamps: [Stamp?]
        var previous: (fingerprint: Data, until: ContinuousClock.Instant)?
    }

    private let path: String
    private let keyPath: String?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    /// Blocks.
    /// - Parameter keyPath: nil for the certificate of a proxy.
    /// - Throws: `failed_precondition` `unusable_certificate`.
    package init(
        path: String, keyPath: String?, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws(BatonError) {
        self.path = path
        self.keyPath = keyPath
        self.now = now
        state = Mutex(try Self.load(path, keyPath))
    }

    /// Nil for the certificate of a proxy.
    package var context: NIOSSLContext? { state.withLock { $0.context } }
    /// SHA-256 of the certificate in DER.
    package var fingerprint: Data { state.withLock { $0.fingerprint } }
    /// In seconds since 1970.
    package var expiry: Int { state.withLock { $0.expiry } }

    /// Whether devices see this one, or saw it a moment ago.
    package func isShown(_ fingerprint: Data) -> Bool {
        let now = now()
        return state.withLock { state in
            if state.fingerprint == fingerprint { return true }
            guard let previous = state.previous, now < previous.until else { return false }
            return previous.fingerprint == fingerprint
        }
    }

    /// Looks whether the files have changed, and takes what they are now if it can be used. Blocks.
    package func refresh() -> Change {
        let stamps = Self.stamps(path, keyPath)
        guard stamps != state.withLock({ $0.stamps }) else { return .none }
        do {
            var new = try Self.load(path, keyPath)
            let now = now()
            return state.withLock { old in
                new.previous =
                    old.fingerprint == new.fingerprint
                    ? old.previous : (old.fingerprint, now.advanced(by: Self.overlap))
                defer { old = new }
                return old.fingerprint == new.fingerprint ? .none : .replaced(fingerprint: new.fingerprint)
            }
        } catch {
            // Reported once for each state of the files.
            state.withLock { $0.stamps = stamps }
            return .refused(error)
        }
    }

    private static func stamps(_ path: String, _ keyPath: String?) -> [Stamp?] {
        [Stamp(path)] + (keyPath.map { [Stamp($0)] } ?? [])
    }

    private static func load(_ path: String, _ keyPath: String?) throws(BatonError) -> State {
        // First: what is replaced while it is read is read again.
        let stamps = stamps(path, keyPath)
        guard let keyPath else {
            let (fingerprint, expiry) = try ServerIdentity.certificate(path: path)
            return State(fingerprint: fingerprint, expiry: expiry, stamps: stamps)
        }
        let identity = try ServerIdentity(certificatePath: path, keyPath: keyPath)
        return State(
            context: identity.context, fingerprint: identity.fingerprint, expiry: identity.expiry, stamps: stamps)
    }
}
