package import BatonCore
import CAvahi

/// DNS-SD by multicast DNS, with a responder of its own (libavahi-core): no avahi-daemon is needed, and one that runs
/// beside it does no harm.
///
/// Avahi is not safe for threads, so one thread owns it with all its sockets; everything is handed to that thread. Host
/// names are random and change with each announcement; nothing else of this machine is published.
package final class AvahiDiscovery: Discovery {
    private let thread: AvahiThread

    /// - Parameters:
    ///   - interfaces: the only ones to use, by name; nil for all but the loopback. `["lo"]` lets daemons on one machine
    ///     find each other without any privilege.
    ///   - prepareThread: runs first on the thread that opens every socket; tests enter a network namespace there.
    package init(
        interfaces: [String]? = nil, recorder: any EventRecorder = NullEventRecorder(),
        prepareThread: @escaping @Sendable () -> Void = {}
    ) {
        thread = AvahiThread(interfaces: interfaces, recorder: recorder, prepare: prepareThread)
    }

    deinit { thread.stop {} }

    package func announce(_ announcement: Announcement?, type: String) async throws {
        try Self.check(type: type)
        if let announcement { try Self.check(announcement) }
        try await thread.run { $0.announce(announcement, type: type) }
    }

    package func browse(type: String) -> AsyncStream<DiscoveryEvent> { browse(type: type) { _ in false } }

    package func browse(
        type: String, preferring isPreferred: @escaping @Sendable (String) -> Bool
    ) -> AsyncStream<DiscoveryEvent> {
        let mailbox = DiscoveryMailbox { [weak thread] in thread?.perform { $0.forgetReaders() } }
        // The job must not keep the mailbox alive: the stream alone does.
        let reader = AvahiEngine.Reader(mailbox)
        if !thread.perform({ $0.browse(type: type, preferring: isPreferred, reader: reader) }) { mailbox.finish() }
        return mailbox.stream()
    }

    package func refresh(instance: String, type: String) {
        thread.perform { $0.refresh(instance: instance, type: type) }
    }

    /// Withdraws everything (with goodbyes), ends every stream, and returns when the thread has nothing left to do.
    package func shutdown() async {
        await withCheckedContinuation { continuation in thread.stop { continuation.resume() } }
    }

    /// How often the thread woke, since it was started.
    func turns() async throws -> Int { try await thread.run { $0.turns } }

    private static func check(type: String) throws(BatonError) {
        guard avahi_is_valid_service_type_strict(type) != 0 else {
            throw BatonError(
                .invalidArgument, reason: "invalid_service_type", "“\(type)” is not a DNS-SD service type.")
        }
    }

    private static func check(_ announcement: Announcement) throws(BatonError) {
        // 200 bytes each way keep the TXT record in one packet with all others.
        guard ServiceTable.isValid(name: announcement.instance), (1...65535).contains(announcement.port),
            announcement.attributes.allSatisfy({ key, value in
                (1...32).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3D }
                    && key.utf8.count + value.utf8.count + 1 <= 255
            }),
            announcement.attributes.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count + 2 }) <= 400
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_announcement",
                "The announcement's name, port or attributes are not valid in DNS-SD.")
        }
    }
}
