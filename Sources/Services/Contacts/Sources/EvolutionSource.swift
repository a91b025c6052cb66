package import BatonCore
import Glibc
package import SessionBus
import Synchronization
package import VCard

/// The address books of Evolution Data Server, on the person's session bus. They are read only.
///
/// A thread of its own calls it: the service may take seconds to start, and may hang. Without a bus or without the service there
/// are no cards of it, and nothing else is missing.
package final class EvolutionSource: ContactSource {
    /// Bytes of pictures that are kept. Policy: the others are left out.
    private static let maximumImages = 32 << 20
    /// Until a bus that is away, or a book that did not answer, is tried again.
    private static let patience = Duration.seconds(60)
    /// Several changes at once are read once.
    static let settling = Duration.milliseconds(300)
    static let longestPause = Duration.seconds(60)

    package let name = "Evolution Data Server"
    package let isWritable = false
    package var problem: String? { nil }
    private let address: String?
    private let trust: BusTrust
    private let recorder: any EventRecorder
    private let images = Mutex<[String: [UInt8]]>([:])

    /// - Parameters:
    ///   - address: of the session bus; nil where it is not known.
    ///   - trust: judges the service: another program's cards would be taken for the person's.
    package init(address: String?, trust: @escaping BusTrust, recorder: any EventRecorder) {
        self.address = address
        self.trust = trust
        self.recorder = recorder
    }

    package func run(_ deliver: @escaping @Sendable ([SourceCard]) -> Void) async {
        guard let address else { return }
        let thread = BusThread("baton-contacts")
        thread.start { [self] in loop(address, $0, deliver) }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
        // A call that hangs has a time limit; no caller waits for it.
        thread.stopSoon()
    }

    package func write(_ changes: [SourceChange]) async throws {
        throw BatonError(
            .failedPrecondition, reason: "not_writable",
            "Address books of Evolution Data Server are changed in the program that keeps them.")
    }

    package func card(key: String) async -> ContactCard? {
        guard let image = images.withLock({ $0[key] }) else { return nil }
        var card = ContactCard(identifier: key)
        card.image = image
        return card
    }

    // MARK: The thread

    private func loop(_ address: String, _ thread: BusThread, _ deliver: @Sendable ([SourceCard]) -> Void) {
        while !thread.isStopping {
            if let bus = EvolutionBus(address: address, trust: trust) {
                follow(bus, thread, deliver)
                bus.close()
                deliver([])
            }
            thread.wait([], Self.patience)
        }
    }

    /// How long a change waits to be read: any program on the bus can say that something has changed, and reading takes a twentieth of
    /// the time at most.
    /// - Parameters:
    ///   - took: the processor time of the last reading; the service may have been slow.
    ///   - passed: since then.
    static func pause(took: Duration, passed: Duration) -> Duration {
        max(settling, min(took * 20, longestPause) - passed)
    }

    /// The processor time of this thread so far.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private func follow(_ bus: EvolutionBus, _ thread: BusThread, _ deliver: @Sendable ([SourceCard]) -> Void) {
        var books: [String: EvolutionBus.Book] = [:]
        var (took, end) = (Duration.zero, ContinuousClock.now)
        while !thread.isStopping {
            var mustTryAgain = false
            if bus.isDirty {
                bus.beginReading()
                let begin = Self.processorTime()
                mustTryAgain = !read(bus, &books, deliver)
                took = Self.processorTime() - begin
                end = .now
            }
            // Messages that came during the calls wait in the connection already.
            guard bus.process() else { return }
            if !bus.isDirty {
                thread.wait([bus.connection], mustTryAgain ? Self.patience : nil)
                guard bus.process() else { return }
            }
            if bus.isDirty {
                let next = ContinuousClock.now + Self.pause(took: took, passed: end.duration(to: .now))
                while !thread.isStopping, ContinuousClock.now < next {
                    thread.wait([], min(Self.settling, next - .now))
                    guard bus.process() else { return }
                }
            }
            if mustTryAgain, !bus.isDirty { return }
        }
    }

    /// - Returns: false where something did not answer.
    private func read(
        _ bus: EvolutionBus, _ books: inout [String: EvolutionBus.Book], _ deliver: @Sendable ([SourceCard]) -> Void
    ) -> Bool {
        guard let sources = bus.service("Sources"), let factory = bus.service("AddressBook") else {
            deliver([])
            return true
        }
        guard let list = bus.books(sources) else { return false }
        var cards: [SourceCard] = []
        var pictures: [String: [UInt8]] = [:]
        var room = Self.maximumImages
        var isComplete = true
        for (identifier, _) in list {
            if books[identifier] == nil { books[identifier] = bus.open(identifier, factory: factory) }
            guard let book = books[identifier], let texts = bus.cards(book) else {
                books[identifier] = nil
                isComplete = false
                continue
            }
            for (number, text) in texts.enumerated() {
                guard let document = VCardFile(Array(text.utf8)).documents.first, !document.isGroup else { continue }
                var card = document.card
                let key = "\(identifier)/\(card.identifier.isEmpty ? "\(number)" : card.identifier)"
                if card.identifier.isEmpty { card.identifier = key }
                if let image = card.image, image.count <= room {
                    room -= image.count
                    pictures[key] = image
                }
                card.image = nil
                cards.append(SourceCard(key: key, card: card, hasImage: pictures[key] != nil, isWritable: false))
            }
        }
        images.withLock { $0 = pictures }
        recorder.record(
            "contacts", "evolution_read", "Evolution Data Server's address books were read.",
            ["books": "\(list.count)", "cards": "\(cards.count)"])
        deliver(cards)
        return isComplete
    }
}
