import FileSync
import Synchronization
import Testing

@testable import Documents

/// D-6: what the sync asks of the arbiter, and that it never waits for it.
@Suite("Claims of a container") struct ContainerClaimsTests {
    /// Grants at once unless a process holds the file.
    private final class Arbiter: FileArbiter {
        struct State {
            var last: UInt64 = 0
            var holder: String?
            var waiting: [UInt64: @Sendable (ClaimAnswer) -> Void] = [:]
            var log: [String] = []
        }
        let state = Mutex(State())

        func request(_ accesses: [FileAccess], _ answer: @escaping @Sendable (ClaimAnswer) -> Void) -> UInt64 {
            let (id, isFree) = state.withLock { state in
                state.last += 1
                if state.holder != nil { state.waiting[state.last] = answer }
                return (state.last, state.holder == nil)
            }
            if isFree { answer(.granted) }
            return id
        }

        func end(_ claim: UInt64, _ news: [FileNews]) { note("end \(claim) \(news.count)") }

        func withdraw(_ claim: UInt64) {
            state.withLock { $0.waiting[claim] = nil }
            note("withdraw \(claim)")
        }

        func tell(_ news: FileNews) { note("tell") }

        func holders(against accesses: [FileAccess]) -> [String] { state.withLock { $0.holder.map { [$0] } ?? [] } }

        private func note(_ text: String) { state.withLock { $0.log.append(text) } }

        func hold(_ holder: String?) { state.withLock { $0.holder = holder } }

        func letGo() {
            let answers = state.withLock { state in
                state.holder = nil
                defer { state.waiting = [:] }
                return state.waiting.values.map { $0 }
            }
            for answer in answers { answer(.granted) }
        }

        var log: [String] { state.withLock { $0.log } }
    }

    private final class Answers: Sendable {
        let all = Mutex<[(ContainerClaims.Purpose, UInt64, ClaimAnswer)]>([])
        func add(_ purpose: ContainerClaims.Purpose, _ id: UInt64, _ answer: ClaimAnswer) {
            all.withLock { $0.append((purpose, id, answer)) }
        }
    }

    private let arbiter = Arbiter()
    private let answers = Answers()
    private let purpose = ContainerClaims.Purpose.step(EntryID(high: 1, low: 1))
    private let access = [FileAccess(.writing, "/a")]

    private func claims() -> ContainerClaims { ContainerClaims(arbiter) { [answers] in answers.add($0, $1, $2) } }

    @Test("what is free is granted at once, and its end tells what was done")
    func atOnce() {
        let claims = claims()
        #expect(claims.obtain(purpose, access) == .granted)
        claims.end(purpose, [.changed("/a")])
        #expect(arbiter.log == ["end 1 1"])
        #expect(answers.all.withLock { $0.isEmpty } && claims.waits.isEmpty)
    }

    @Test("what is held is granted later, and asked for once")
    func later() throws {
        let claims = claims()
        arbiter.hold("Editor")
        #expect(claims.obtain(purpose, access) == .waiting)
        #expect(claims.obtain(purpose, access) == .waiting)
        #expect(claims.waits[purpose] != nil)
        arbiter.letGo()
        let (_, id, answer) = try #require(answers.all.withLock { $0.first })
        #expect(claims.take(answer, to: purpose, id))
        #expect(claims.obtain(purpose, access) == .granted)
        claims.end(purpose, [])
        #expect(claims.waits.isEmpty && arbiter.log == ["end 1 0"])
    }

    @Test("a holder that never lets go: the request is given up, and made again only when the file is free")
    func expires() throws {
        let claims = claims()
        arbiter.hold("Editor")
        #expect(claims.obtain(purpose, access) == .waiting)
        let id = try #require(claims.id(of: purpose))
        #expect(claims.expire(purpose, id).holders == ["Editor"])
        #expect(arbiter.log == ["withdraw 1"])
        #expect(claims.waits[purpose]?.isHeldUp == true)
        #expect(claims.obtain(purpose, access) == .heldUp)
        arbiter.hold(nil)
        #expect(claims.obtain(purpose, access) == .granted)
    }

    @Test(
        "a step that is another one by now gives back what was asked for the former, and a late answer counts for nothing"
    )
    func changes() {
        let claims = claims()
        arbiter.hold("Editor")
        #expect(claims.obtain(purpose, access) == .waiting)
        #expect(claims.obtain(purpose, [FileAccess(.deleting, "/b")]) == .waiting)
        #expect(arbiter.log == ["withdraw 1"])
        #expect(!claims.take(.granted, to: purpose, 1))
        claims.forgetAll()
        #expect(arbiter.log == ["withdraw 1", "withdraw 2"])
    }
}
