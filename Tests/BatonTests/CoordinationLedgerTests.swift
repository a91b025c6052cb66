import Baton
import FileCoordination
import Testing

@testable import AppLink

@Suite("What a process has with its arbiter", .timeLimit(.minutes(1))) struct CoordinationLedgerTests {
    private static let client = CoordinationClient(1)
    private let presenter = FilePresenterID(client: client, number: 1)

    private func path(_ text: String) throws -> CoordinatedPath { try #require(CoordinatedPath(text)) }

    private func request(_ number: UInt64, _ text: String) throws -> CoordinationRequest {
        CoordinationRequest(
            id: CoordinationRequestID(client: Self.client, number: number), purpose: "p",
            intents: [AccessIntent(.writing(.any), try path(text))])
    }

    @Test(
        "The next arbiter is told what is held, what ended meanwhile, presenters, and what waits, in this order (D-6)")
    func restatement() throws {
        var ledger = CoordinationLedger()
        let item = PresentedItem(try path("/c"))
        let requests = [try request(1, "/a"), try request(2, "/b"), try request(3, "/c"), try request(4, "/d")]
        for request in requests { #expect(ledger.take(.request(request), hasArbiter: true).input == .request(request)) }
        _ = ledger.take(.present(presenter, item), hasArbiter: true)
        for request in requests[1...2] {
            #expect(ledger.receive(.grant(request.id, request.intents.map(\.path))) != nil)
        }
        #expect(ledger.arbiterLost().isEmpty)
        let end = CoordinationLedger.Input.end(requests[1].id, [ItemChange(.changed, try path("/b"))])
        #expect(ledger.take(end, hasArbiter: false).input == nil)
        // There is no arbiter to cancel it.
        let cancelled = ledger.take(.cancel(requests[3].id), hasArbiter: false)
        #expect(cancelled.actions == [.fail(requests[3].id, .cancelled)])
        var held = Array(requests[1...2])
        for index in held.indices { held[index].isHeld = true }
        #expect(
            ledger.restatement() == [
                .request(held[0]), .request(held[1]), end, .present(presenter, item), .request(requests[0]),
            ])
        // An ended claim is over.
        #expect(ledger.restatement().first == .request(held[1]))
    }

    @Test("An answer to an arbiter that is gone reaches no other one; who made way goes on (D-6)")
    func answers() throws {
        var ledger = CoordinationLedger()
        _ = ledger.take(.present(presenter, PresentedItem(try path("/a"))), hasArbiter: true)
        func ask(_ number: UInt64) throws -> PresenterMessageID {
            let action = ledger.receive(.send(presenter, .relinquishToWriter, PresenterMessageID(number)))
            guard case .send(_, _, let own?) = action else { throw CancellationError() }
            return own
        }
        let (made, open) = (try ask(7), try ask(8))
        let answer = ledger.take(.answer(made, .done(reacquires: true), from: Self.client), hasArbiter: true)
        #expect(answer.input == .answer(PresenterMessageID(7), .done(reacquires: true), from: Self.client))
        #expect(ledger.arbiterLost() == [.send(presenter, .reacquire(made), nil)])
        // The next arbiter counts from the beginning.
        let next = try ask(8)
        #expect(next != open)
        let late = ledger.take(.answer(open, .done(reacquires: true), from: Self.client), hasArbiter: true)
        #expect(late.input == nil)
        #expect(late.actions == [.send(presenter, .reacquire(open), nil)])
        let reply = ledger.take(.answer(next, .done(reacquires: true), from: Self.client), hasArbiter: true)
        #expect(reply.input == .answer(PresenterMessageID(8), .done(reacquires: true), from: Self.client))
        #expect(
            ledger.receive(.send(presenter, .reacquire(PresenterMessageID(8)), nil))
                == .send(presenter, .reacquire(next), nil))
    }

    @Test("What an arbiter says of requests and presenters that are gone is not passed on")
    func stale() throws {
        var ledger = CoordinationLedger()
        let request = try request(1, "/a")
        #expect(ledger.receive(.grant(request.id, request.intents.map(\.path))) == nil)
        #expect(ledger.receive(.fail(request.id, .cancelled)) == nil)
        #expect(ledger.receive(.send(presenter, .didChange, nil)) == nil)
    }
}
