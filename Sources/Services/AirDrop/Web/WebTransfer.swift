package import BatonConcurrency
package import BatonCore

/// Decides what a browser may take from a one-time address, or leave there.
///
/// A file can be had as often as a browser asks for it until the lifetime is over, or, for an address that ends with the last
/// one, whole once. Files that are left come in a batch, one after the other, and are stored together, which ends the
/// address. At the end of its lifetime what is under way may end.
package struct WebTransfer: StateMachine {
    package struct Configuration: Sendable {
        package var lifetime = Duration.seconds(600)
        /// Requests for files at once. Policy: more are refused.
        package var maximumCalls = 8
        /// Policy: a batch of more is refused.
        package var maximumFiles = 1000

        package init() {}
    }

    package enum Purpose: Hashable, Sendable {
        /// So many files can be had.
        case download(files: Int, once: Bool = false)
        case upload
    }

    /// Never used again.
    package typealias CallID = UInt64

    package enum Input: Sendable {
        /// Once, before everything else: its time begins.
        case opened
        /// One of the files is wanted.
        case wanted(CallID, file: Int)
        /// A file comes: of a batch of so many. Another batch replaces what came of the one before.
        case coming(CallID, batch: String, count: Int)
        case completed(CallID)
        case broken(CallID)
        case stored
        case notStored(BatonError)
        /// By the person here.
        case cancelled
    }

    package enum Action: Sendable {
        case serve(CallID)
        case receive(CallID)
        case refuse(CallID, BatonError)
        /// The result of the batch before is not wanted.
        case forgetBatch
        /// The batch is whole. The answer is `stored` or `notStored`.
        case store
        case ended(Outcome)
    }

    package enum Outcome: Sendable {
        case delivered
        case expired
        case cancelled
        case failed(BatonError)
    }

    private enum Phase: Sendable {
        case open
        /// Its time is over, and something is under way.
        case closing
        case storing
        case ended
    }

    private struct Batch: Sendable {
        var name: String
        var count: Int
        var received = 0
    }

    private let purpose: Purpose
    private let configuration: Configuration
    private var deadline: Duration?
    private var phase = Phase.open
    /// Requests under way, with the number of the file that each one wants.
    private var calls: [CallID: Int] = [:]
    private var done: Set<Int> = []
    private var batch: Batch?

    package init(_ purpose: Purpose, configuration: Configuration = .init()) {
        self.purpose = purpose
        self.configuration = configuration
    }

    package var isOver: Bool { if case .ended = phase { true } else { false } }

    /// Files that have been had, or have come.
    package var count: Int { purpose == .upload ? batch?.received ?? 0 : done.count }
    /// The number of files in the batch that comes; 0 while that is not known.
    package var expected: Int { if case .download(let files, _) = purpose { files } else { batch?.count ?? 0 } }

    package mutating func handle(_ input: Input, now: Timestamp) -> [Action] {
        switch input {
        case .opened:
            if deadline == nil { deadline = now.monotonic + configuration.lifetime }
            return []
        case .wanted(let call, let file): return wanted(call, file)
        case .coming(let call, let name, let count): return coming(call, name, count)
        case .completed(let call):
            guard let file = calls.removeValue(forKey: call) else { return [] }
            return completed(file)
        case .broken(let call):
            guard calls.removeValue(forKey: call) != nil else { return [] }
            return endIfIdle()
        case .stored:
            guard case .storing = phase else { return [] }
            return end(.delivered)
        case .notStored(let error):
            guard case .storing = phase else { return [] }
            return end(.failed(error))
        case .cancelled:
            switch phase {
            // A file that is being stored cannot be taken back: it ends as `stored` or `notStored` says.
            case .ended, .storing: return []
            // All was had, so it was sent, although the address is closed early.
            case .open, .closing: return end(hasAll ? .delivered : .cancelled)
            }
        }
    }

    private mutating func wanted(_ call: CallID, _ file: Int) -> [Action] {
        guard case .open = phase, case .download(let files, let once) = purpose, (0..<files).contains(file),
            !once || !done.contains(file)
        else { return [.refuse(call, Self.over)] }
        guard calls.count < configuration.maximumCalls else { return [.refuse(call, Self.busy)] }
        calls[call] = file
        return [.serve(call)]
    }

    private mutating func coming(_ call: CallID, _ name: String, _ count: Int) -> [Action] {
        guard case .open = phase, purpose == .upload else { return [.refuse(call, Self.over)] }
        guard (1...configuration.maximumFiles).contains(count) else { return [.refuse(call, Self.tooMany)] }
        guard calls.isEmpty else { return [.refuse(call, Self.busy)] }
        var actions: [Action] = []
        if batch?.name != name || batch?.count != count {
            if batch != nil { actions.append(.forgetBatch) }
            batch = Batch(name: name, count: count)
        }
        calls[call] = batch?.received
        return actions + [.receive(call)]
    }

    private mutating func completed(_ file: Int) -> [Action] {
        guard purpose == .upload else {
            done.insert(file)
            return endIfIdle()
        }
        batch?.received += 1
        guard batch?.received == batch?.count else { return endIfIdle() }
        phase = .storing
        return [.store]
    }

    /// Ends when all is done, or when the time is over and nothing is under way.
    private mutating func endIfIdle() -> [Action] {
        guard calls.isEmpty else { return [] }
        if case .download(_, once: true) = purpose, hasAll { return end(.delivered) }
        guard case .closing = phase else { return [] }
        return end(hasAll ? .delivered : .expired)
    }

    private var hasAll: Bool { if case .download(let files, _) = purpose { done.count == files } else { false } }

    private mutating func end(_ outcome: Outcome) -> [Action] {
        phase = .ended
        // An upload that is still under way changes nothing any more.
        calls = [:]
        return [.ended(outcome)]
    }

    package func nextDeadline(now: Timestamp) -> Duration? { if case .open = phase { deadline } else { nil } }

    package mutating func advance(now: Timestamp) -> [Action] {
        guard case .open = phase, let deadline, deadline <= now.monotonic else { return [] }
        phase = .closing
        return endIfIdle()
    }

    static let over = BatonError(
        .notFound, reason: "web_address_used", "There is nothing more at this address. Ask for a new one.")
    static let busy = BatonError(
        .resourceExhausted, reason: "web_address_busy", "Another file is under way. Try again when it is over.")
    static let tooMany = BatonError(
        .invalidArgument, reason: "too_many_files", "So many files cannot be sent at once. Send fewer.")
}
