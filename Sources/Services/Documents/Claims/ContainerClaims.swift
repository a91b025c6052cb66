import FileSync
import Synchronization

/// The claims that one container's sync has requested from the arbiter or holds. Used on the container's queue only.
///
/// A claim is for one step or one reading. Nothing waits for it: a step whose claim is not granted at once is done later, and
/// other files go on. A request that another process's claim blocks for long is withdrawn, so that it does not block others in
/// turn, and is made again when that claim is gone.
final class ContainerClaims {
    enum Purpose: Hashable, Sendable {
        case step(EntryID)
        case reading(LocalHandle)
    }

    enum Standing: Hashable {
        /// It is there until it is ended.
        case granted
        /// The container hears of it.
        case waiting
        /// Another process holds the file. Try again later.
        case heldUp
    }

    private struct Claim {
        var id: UInt64
        var accesses: [FileAccess]
        var isGranted: Bool
    }

    /// A file that waits, for people.
    struct Wait: Sendable {
        var accesses: [FileAccess]
        var since: ContinuousClock.Instant
        /// The sentence of an app that could not make way.
        var refusal: String?
        /// It was given up once, because another process held the file.
        var isHeldUp = false
    }

    private let arbiter: any FileArbiter
    /// Called on any thread when a request that waited is answered.
    private let answered: @Sendable (Purpose, UInt64, ClaimAnswer) -> Void
    private var claims: [Purpose: Claim] = [:]
    private(set) var waits: [Purpose: Wait] = [:]

    init(_ arbiter: any FileArbiter, answered: @escaping @Sendable (Purpose, UInt64, ClaimAnswer) -> Void) {
        self.arbiter = arbiter
        self.answered = answered
    }

    /// Asks, or says how it stands with what was asked before.
    func obtain(_ purpose: Purpose, _ accesses: [FileAccess]) -> Standing {
        if let claim = claims[purpose] {
            if claim.accesses == accesses { return claim.isGranted ? .granted : .waiting }
            withdraw(purpose)
        }
        if waits[purpose]?.isHeldUp == true, !arbiter.holders(against: accesses).isEmpty { return .heldUp }
        let reply = Reply()
        let id = arbiter.request(accesses) { [answered] answer in
            if let id = reply.take(answer) { answered(purpose, id, answer) }
        }
        switch reply.atOnce(id) {
        case .granted:
            claims[purpose] = Claim(id: id, accesses: accesses, isGranted: true)
            return .granted
        case .refused(let message):
            note(purpose, accesses) { $0.refusal = message }
            return .heldUp
        case nil:
            claims[purpose] = Claim(id: id, accesses: accesses, isGranted: false)
            note(purpose, accesses) { $0.refusal = nil }
            return .waiting
        }
    }

    private func note(_ purpose: Purpose, _ accesses: [FileAccess], _ change: (inout Wait) -> Void) {
        var wait = waits[purpose] ?? Wait(accesses: accesses, since: .now)
        wait.accesses = accesses
        change(&wait)
        waits[purpose] = wait
    }

    /// - Returns: whether the answer is for what is asked now, and what was asked may go on.
    func take(_ answer: ClaimAnswer, to purpose: Purpose, _ id: UInt64) -> Bool {
        guard let claim = claims[purpose], claim.id == id else { return false }
        switch answer {
        case .granted:
            claims[purpose]?.isGranted = true
            return true
        case .refused(let message):
            claims[purpose] = nil
            waits[purpose]?.refusal = message
            return false
        }
    }

    /// The request has waited long. It is given up if a process holds the file, and not while presenters are asked.
    /// - Returns: the processes that hold it; nil where it goes on waiting, or waits no more.
    func expire(_ purpose: Purpose, _ id: UInt64) -> (waits: Bool, holders: [String]) {
        guard let claim = claims[purpose], claim.id == id, !claim.isGranted else { return (false, []) }
        let holders = arbiter.holders(against: claim.accesses)
        guard !holders.isEmpty else { return (true, []) }
        withdraw(purpose)
        note(purpose, claim.accesses) { $0.isHeldUp = true }
        return (false, holders)
    }

    func id(of purpose: Purpose) -> UInt64? { claims[purpose]?.id }

    /// It was done, with what came of it.
    func end(_ purpose: Purpose, _ news: [FileNews]) {
        waits[purpose] = nil
        guard let claim = claims.removeValue(forKey: purpose) else { return news.forEach(arbiter.tell) }
        if claim.isGranted { return arbiter.end(claim.id, news) }
        // It was asked for something else.
        arbiter.withdraw(claim.id)
        news.forEach(arbiter.tell)
    }

    /// Withdraws a claim that is not needed any more.
    func withdraw(_ purpose: Purpose) {
        guard let claim = claims.removeValue(forKey: purpose) else { return }
        arbiter.withdraw(claim.id)
    }

    /// It is not wanted any more.
    func forget(_ purpose: Purpose) {
        withdraw(purpose)
        waits[purpose] = nil
    }

    func forgetAll() { for purpose in Set(claims.keys).union(waits.keys) { forget(purpose) } }

    func holders(_ wait: Wait) -> [String] { arbiter.holders(against: wait.accesses) }
}

/// An answer that may arrive before the caller knows its request's identifier.
private final class Reply: Sendable {
    private struct State {
        var answer: ClaimAnswer?
        /// Set when the caller did not get the answer at once.
        var id: UInt64?
    }

    private let state = Mutex(State())

    /// - Returns: the request, if its answer is to be passed on.
    func take(_ answer: ClaimAnswer) -> UInt64? {
        state.withLock { state in
            state.answer = answer
            return state.id
        }
    }

    func atOnce(_ id: UInt64) -> ClaimAnswer? {
        state.withLock { state in
            if let answer = state.answer { return answer }
            state.id = id
            return nil
        }
    }
}
