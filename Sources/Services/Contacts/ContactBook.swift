import BatonConcurrency
package import BatonCore
import Foundation
import ServiceLifecycle
import Synchronization
package import VCard

/// The person's contacts, of all sources.
///
/// Lookups are answered from memory, without pictures; nothing waits for a source that is slow or away.
package final class ContactBook: Service {
    /// Cards of one source. Policy: those behind are left out.
    package static let maximumCards = 100_000

    private struct State {
        var index = ContactIndex()
        var cards: [[SourceCard]]
        var isWaiting = false
    }

    private let sources: [any ContactSource]
    private let recorder: any EventRecorder
    private let state: Mutex<State>
    private let queue = BlockingQueue("development.baton.contacts")
    private let changed = Broadcaster<Void>(.newest)

    /// - Parameter sources: what the first one says of a contact goes before what the others say.
    package init(sources: [any ContactSource], recorder: any EventRecorder) {
        self.sources = sources
        self.recorder = recorder
        state = Mutex(State(cards: sources.map { _ in [] }))
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { group in
                for (number, source) in sources.enumerated() {
                    group.addTask { [self] in
                        await source.run { [weak self] cards in self?.take(cards, from: number) }
                    }
                }
            }
        }
        changed.finish()
    }

    /// The cards of a source, now. A source gives them one time after the other.
    /// - Returns: whether they are others than before. If not, the index stays: a source looks again and again.
    @discardableResult
    func take(_ cards: [SourceCard], from source: Int) -> Bool {
        let cards = cards.count <= Self.maximumCards ? cards : Array(cards.prefix(Self.maximumCards))
        // Outside of the lock, which lookups would wait for.
        guard cards != state.withLock({ $0.cards[source] }) else { return false }
        let mustStart = state.withLock { state in
            state.cards[source] = cards
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        if mustStart { queue.queue.async { [weak self] in self?.rebuild() } }
        return true
    }

    private func rebuild() {
        let cards = state.withLock { state in
            state.isWaiting = false
            return state.cards
        }
        let index = ContactIndex(cards)
        let former = state.withLock { state in
            defer { state.index = index }
            return state.index
        }
        guard former.entries != index.entries else { return }
        recorder.record("contacts", "changed", "The contacts have changed.", ["contacts": "\(index.entries.count)"])
        changed.send(())
    }

    // MARK: Looking up

    package var index: ContactIndex { state.withLock { $0.index } }

    /// All contacts, by name.
    package func cards() -> [ContactCard] { index.entries.map(\.card) }

    /// The contact of a card, by the card's identifier or by its own.
    package func card(identifier: String) -> ContactCard? { index.entry(identifier: identifier)?.card }

    /// Contacts with a name of which words begin with these.
    package func cards(matching word: String) -> [ContactCard] { index.entries(matching: word).map(\.card) }

    /// Contacts with an e-mail address or a telephone number.
    package func cards(handle: String) -> [ContactCard] { index.entries(handle: handle).map(\.card) }

    /// Announces changes from now on; several unread ones are one.
    package func changes() -> AsyncStream<Void> { changed.subscribe() }

    /// The picture of a contact.
    package func image(of entry: ContactIndex.Entry) async -> [UInt8]? {
        for member in entry.members where member.card.hasImage {
            if let image = await sources[member.source].card(key: member.card.key)?.image { return image }
        }
        return nil
    }

    package func name(ofSource number: Int) -> String { sources[number].name }

    /// Why sources have no contacts.
    package var problems: [String] { sources.compactMap(\.problem) }

    // MARK: Changing

    package enum Change: Sendable {
        case add(ContactCard)
        case update(identifier: String, ContactCard, Set<CardKey>)
        case delete(identifier: String)
    }

    /// All of it is checked before anything is written.
    /// - Throws: `not_found` for a contact that is gone, `already_exists` for one that is there, `failed_precondition` with reason
    ///   `not_writable`, and what storage throws.
    package func change(_ changes: [Change]) async throws {
        let index = index
        var edits: [Int: [SourceChange]] = [:]
        for change in changes {
            switch change {
            case .add(let card):
                guard index.entry(identifier: card.identifier) == nil else {
                    throw BatonError(.alreadyExists, reason: "contact_exists", "The contact is there already.")
                }
                guard let source = sources.firstIndex(where: \.isWritable) else { throw Self.notWritable }
                edits[source, default: []].append(.add(card))
            case .update(let identifier, let card, let keys):
                let entry = try Self.entry(identifier, index)
                // In memory there is no picture, so that one that is not set is left as it is.
                func applied(_ isTouched: (ContactIndex.Member) -> Bool) -> [ContactCard]? {
                    CardUnion.apply(
                        card, keys: keys, to: entry.members.map { ($0.card.card, $0.card.isWritable && isTouched($0)) })
                }
                // Cards without a name, which may be another person's with the same number, only if it needs be.
                let isNamed = { (member: ContactIndex.Member) in entry.isNamed(member, identifier) }
                let touched =
                    applied(isNamed).map { ($0, isNamed) } ?? applied { _ in true }.map { ($0, { _ in true }) }
                guard let (cards, isTouched) = touched else { throw Self.notWritable }
                for (member, new) in zip(entry.members, cards) {
                    let setsImage = keys.contains(.imageData) && member.card.isWritable && isTouched(member)
                    guard new != member.card.card || setsImage else { continue }
                    edits[member.source, default: []].append(
                        .replace(
                            key: member.card.key, old: member.card.card, new: new,
                            setsImage ? keys : keys.subtracting([.imageData])))
                }
            case .delete(let identifier):
                let entry = try Self.entry(identifier, index)
                let members = entry.members.filter { entry.isNamed($0, identifier) }
                guard members.allSatisfy({ $0.card.isWritable }) else { throw Self.notWritable }
                for member in members {
                    edits[member.source, default: []].append(.delete(key: member.card.key, old: member.card.card))
                }
            }
        }
        do {
            for (source, changes) in edits.sorted(by: { $0.key < $1.key }) { try await sources[source].write(changes) }
        } catch {
            await renewed()
            throw error
        }
        await renewed()
    }

    /// Returns when what the sources have delivered until now is in the index.
    private func renewed() async { await queue.run {} }

    private static func entry(_ identifier: String, _ index: ContactIndex) throws(BatonError) -> ContactIndex.Entry {
        guard let entry = index.entry(identifier: identifier) else {
            throw BatonError(.notFound, reason: "no_such_contact", "The contact is not there any more.")
        }
        return entry
    }

    private static var notWritable: BatonError {
        BatonError(
            .failedPrecondition, reason: "not_writable",
            "The contact is in an address book that cannot be written from here. Change it in the program that keeps it."
        )
    }
}
