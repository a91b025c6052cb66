import FileCoordination
import Testing

@Suite("A restarted arbiter", .timeLimit(.minutes(1))) struct ArbiterRestartTests {
    private let ann = Arbiter.id(Arbiter.ann, 1)
    private let bob = Arbiter.id(Arbiter.bob, 1)

    private func held(_ id: CoordinationRequestID, _ intent: AccessIntent) -> FileCoordinationStateMachine.Input {
        .request(CoordinationRequest(id: id, purpose: "\(id)", intents: [intent], isHeld: true))
    }

    @Test("A claim that a process has already is held at once, nobody is asked, and others wait for its end (D-6)")
    func held() throws {
        var arbiter = Arbiter()
        let presenter = FilePresenterID(client: Arbiter.bob, number: 1)
        try arbiter.input(.present(presenter, PresentedItem(Arbiter.path("/a"))))
        #expect(try arbiter.input(held(ann, Arbiter.write("/a"))).isEmpty)
        #expect(try arbiter.request(bob, Arbiter.read("/a")).isEmpty)
        #expect(
            try arbiter.input(.end(ann, [ItemChange(.changed, Arbiter.path("/a"))]))
                == [.send(presenter, .didChange, nil), .send(presenter, .relinquishToReader, PresenterMessageID(1))])
    }

    @Test("Two claims that were given while there was no common arbiter stay; a third waits for both (D-6)")
    func conflict() throws {
        var arbiter = Arbiter()
        try arbiter.input(held(ann, Arbiter.write("/a")))
        try arbiter.input(held(bob, Arbiter.write("/a")))
        let third = Arbiter.id(Arbiter.bob, 2)
        #expect(try arbiter.request(third, Arbiter.read("/a")).isEmpty)
        #expect(try arbiter.input(.end(ann, [])).isEmpty)
        #expect(try arbiter.input(.end(bob, [])) == [.grant(third, [Arbiter.path("/a")])])
    }

    @Test("While claims are being presented nothing is granted; afterwards, or when time is over, everything is")
    func heldBack() throws {
        var arbiter = Arbiter()
        try arbiter.input(.holdBack(until: .seconds(5)))
        #expect(try arbiter.request(bob, Arbiter.read("/a")).isEmpty)
        #expect(try arbiter.input(held(ann, Arbiter.write("/b"))).isEmpty)
        #expect(try arbiter.input(.holdBack(until: nil)) == [.grant(bob, [Arbiter.path("/a")])])

        var late = Arbiter()
        try late.input(.holdBack(until: .seconds(5)))
        #expect(try late.request(bob, Arbiter.read("/a")).isEmpty)
        #expect(late.advance(.seconds(4)).isEmpty)
        #expect(late.advance(.seconds(1)) == [.grant(bob, [Arbiter.path("/a")])])
    }
}
