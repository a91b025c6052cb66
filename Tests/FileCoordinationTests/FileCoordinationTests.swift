import BatonConcurrency
import FileCoordination
import Testing

/// A machine, with short words for its inputs.
struct Arbiter {
    var machine = FileCoordinationStateMachine()
    var time = Duration.zero

    static let ann = CoordinationClient(1)
    static let bob = CoordinationClient(2)

    static func path(_ text: String) -> CoordinatedPath {
        guard let path = CoordinatedPath(text) else { preconditionFailure("\(text) is no path") }
        return path
    }

    static func id(_ client: CoordinationClient, _ number: UInt64) -> CoordinationRequestID {
        CoordinationRequestID(client: client, number: number)
    }

    static func read(_ path: String, _ options: AccessIntent.ReadingOptions = [], unit: String? = nil) -> AccessIntent {
        AccessIntent(.reading(options), Self.path(path), unit: unit.map(Self.path))
    }

    static func write(
        _ path: String, _ purpose: AccessIntent.WritingPurpose = .any, unit: String? = nil
    ) -> AccessIntent {
        AccessIntent(.writing(purpose), Self.path(path), unit: unit.map(Self.path))
    }

    @discardableResult mutating func input(
        _ input: FileCoordinationStateMachine.Input
    ) throws -> [FileCoordinationStateMachine.Action] {
        try machine.handle(input, now: Timestamp(time))
    }

    mutating func request(
        _ id: CoordinationRequestID, _ intents: AccessIntent..., purpose: String? = nil,
        presenter: FilePresenterID? = nil, parent: CoordinationRequestID? = nil
    ) throws -> [FileCoordinationStateMachine.Action] {
        try input(
            .request(
                CoordinationRequest(
                    id: id, purpose: purpose ?? "\(id)", presenter: presenter, parent: parent, intents: intents)))
    }

    mutating func advance(_ duration: Duration) -> [FileCoordinationStateMachine.Action] {
        time += duration
        return machine.advance(now: Timestamp(time))
    }
}

@Suite("File coordination", .timeLimit(.minutes(1))) struct FileCoordinationTests {
    private typealias Action = FileCoordinationStateMachine.Action
    private let ann = Arbiter.ann
    private let bob = Arbiter.bob
    private let a1 = Arbiter.id(Arbiter.ann, 1)
    private let a2 = Arbiter.id(Arbiter.ann, 2)
    private let b1 = Arbiter.id(Arbiter.bob, 1)
    private let b2 = Arbiter.id(Arbiter.bob, 2)
    private let b3 = Arbiter.id(Arbiter.bob, 3)
    private let shown = FilePresenterID(client: Arbiter.bob, number: 1)

    private func granted(_ id: CoordinationRequestID, _ paths: String...) -> Action {
        .grant(id, paths.map(Arbiter.path))
    }

    @Test("Readers share, writers wait for both (D-6)")
    func readersAndWriters() throws {
        var arbiter = Arbiter()
        #expect(try arbiter.request(a1, Arbiter.read("/f")) == [granted(a1, "/f")])
        #expect(try arbiter.request(b1, Arbiter.read("/f")) == [granted(b1, "/f")])
        #expect(try arbiter.request(b2, Arbiter.write("/f")) == [])
        #expect(try arbiter.input(.end(a1, [])) == [])
        #expect(try arbiter.input(.end(b1, [])) == [granted(b2, "/f")])
        #expect(try arbiter.request(a2, Arbiter.write("/f")) == [])
        #expect(try arbiter.input(.end(b2, [])) == [granted(a2, "/f")])
    }

    @Test("A reader who comes after a writer waits for it: writers do not starve")
    func fairness() throws {
        var arbiter = Arbiter()
        _ = try arbiter.request(a1, Arbiter.read("/f"))
        #expect(try arbiter.request(b1, Arbiter.write("/f")) == [])
        #expect(try arbiter.request(b2, Arbiter.read("/f")) == [])
        #expect(try arbiter.input(.end(a1, [])) == [granted(b1, "/f")])
        #expect(try arbiter.input(.end(b1, [])) == [granted(b2, "/f")])
    }

    @Test(
        "A directory concerns its contents only when it is deleted, moved or replaced; a package is one item",
        arguments: [
            (Arbiter.write("/d"), Arbiter.write("/d/f"), false),
            (Arbiter.write("/d", .merging), Arbiter.read("/d/f"), false),
            (Arbiter.write("/d", .deleting), Arbiter.read("/d/f"), true),
            (Arbiter.write("/d", .moving), Arbiter.read("/d/x/f"), true),
            (Arbiter.write("/d", .replacing), Arbiter.write("/d/f"), true),
            (Arbiter.write("/d/f", .deleting), Arbiter.read("/d"), false),
            (Arbiter.write("/d/f"), Arbiter.write("/d/g"), false),
            (Arbiter.write("/d", .deleting), Arbiter.read("/dd"), false),
            (Arbiter.write("/p/a", unit: "/p"), Arbiter.read("/p/b", unit: "/p"), true),
            (Arbiter.write("/p/a", unit: "/p"), Arbiter.read("/p"), true),
            (
                Arbiter.write("/d", .contentIndependentMetadataOnly),
                Arbiter.read("/d", .immediatelyAvailableMetadataOnly), true
            ),
        ])
    func conflicts(first: AccessIntent, second: AccessIntent, conflict: Bool) throws {
        for (one, other) in [(first, second), (second, first)] {
            var arbiter = Arbiter()
            _ = try arbiter.request(a1, one)
            #expect(try arbiter.request(b1, other).isEmpty == conflict)
        }
    }

    @Test("Requests of one purpose never block one another, and all intents come at once")
    func purposes() throws {
        var arbiter = Arbiter()
        _ = try arbiter.request(a1, Arbiter.write("/f"), purpose: "p")
        #expect(try arbiter.request(b1, Arbiter.write("/f"), purpose: "p") == [granted(b1, "/f")])
        #expect(try arbiter.request(b2, Arbiter.read("/g"), Arbiter.write("/f")) == [])
        #expect(try arbiter.request(b3, Arbiter.write("/g")) == [])
        _ = try arbiter.input(.end(b1, []))
        #expect(try arbiter.input(.end(a1, [])) == [granted(b2, "/g", "/f")])
        #expect(try arbiter.input(.end(b2, [])) == [granted(b3, "/g")])
    }

    @Test("A presenter makes way and saves before a reader reads, and hears when it may go on")
    func readMessages() throws {
        var arbiter = Arbiter()
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/f"))))
        #expect(
            try arbiter.request(a1, Arbiter.read("/f")) == [.send(shown, .relinquishToReader, PresenterMessageID(1))])
        #expect(
            try arbiter.input(.answer(PresenterMessageID(1), .done(reacquires: true), from: bob))
                == [.send(shown, .saveChanges, PresenterMessageID(2))])
        #expect(
            try arbiter.input(.answer(PresenterMessageID(2), .done(reacquires: false), from: bob)) == [
                granted(a1, "/f")
            ])
        #expect(try arbiter.input(.end(a1, [])) == [.send(shown, .reacquire(PresenterMessageID(1)), nil)])
        #expect(
            try arbiter.request(a2, Arbiter.read("/f", .withoutChanges))
                == [.send(shown, .relinquishToReader, PresenterMessageID(3))])
        #expect(
            try arbiter.input(.answer(PresenterMessageID(3), .done(reacquires: false), from: bob)) == [
                granted(a2, "/f")
            ])
    }

    @Test("A presenter's own coordinator sends it nothing")
    func ownPresenter() throws {
        var arbiter = Arbiter()
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/f"))))
        #expect(try arbiter.request(b1, Arbiter.write("/f"), presenter: shown) == [granted(b1, "/f")])
        #expect(try arbiter.input(.end(b1, [ItemChange(.changed, Arbiter.path("/f"))])) == [])
        // The change is no presenter's own: the presenter of another process is notified.
        #expect(try arbiter.request(a1, Arbiter.write("/f"), presenter: shown).count == 1)
    }

    @Test("A presenter that is asked to make way can save under a claim of its own first")
    func savesWhileAsked() throws {
        var arbiter = Arbiter()
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/f"))))
        #expect(try arbiter.request(a1, Arbiter.write("/f", .merging)).count == 1)
        #expect(try arbiter.request(a2, Arbiter.read("/f")) == [])
        #expect(try arbiter.request(b1, Arbiter.write("/f"), presenter: shown) == [granted(b1, "/f")])
        #expect(
            try arbiter.input(.answer(PresenterMessageID(1), .done(reacquires: false), from: bob))
                == [.send(shown, .saveChanges, PresenterMessageID(2))])
        #expect(try arbiter.input(.answer(PresenterMessageID(2), .done(reacquires: false), from: bob)) == [])
        #expect(try arbiter.input(.end(b1, [])) == [granted(a1, "/f")])
    }

    @Test("A presenter's request from before it was asked goes first, too")
    func requestedBeforeAsked() throws {
        var arbiter = Arbiter()
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/f"))))
        _ = try arbiter.request(b2, Arbiter.read("/f"), presenter: shown)
        #expect(try arbiter.request(a1, Arbiter.write("/f")) == [])
        #expect(try arbiter.request(b1, Arbiter.write("/f"), presenter: shown) == [])
        // a1 begins to ask the presenter, whose request b1 waits: b1 goes first.
        #expect(
            try arbiter.input(.end(b2, []))
                == [.send(shown, .relinquishToWriter, PresenterMessageID(1)), granted(b1, "/f")])
        #expect(try arbiter.input(.end(b1, [])) == [])
        #expect(
            try arbiter.input(.answer(PresenterMessageID(1), .done(reacquires: false), from: bob)) == [
                granted(a1, "/f")
            ])
    }

    @Test("Deleting tells the presenters of the item, of what is in it and of what it is in")
    func deletion() throws {
        var arbiter = Arbiter()
        let inner = FilePresenterID(client: bob, number: 2)
        let outer = FilePresenterID(client: bob, number: 3)
        let other = FilePresenterID(client: bob, number: 4)
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/d/x"))))
        _ = try arbiter.input(.present(inner, PresentedItem(Arbiter.path("/d/x/f"))))
        _ = try arbiter.input(.present(outer, PresentedItem(Arbiter.path("/d"))))
        _ = try arbiter.input(.present(other, PresentedItem(Arbiter.path("/d/xy"))))
        let first = try arbiter.request(a1, Arbiter.write("/d/x", .deleting))
        #expect(
            first == [
                .send(shown, .relinquishToWriter, PresenterMessageID(1)),
                .send(inner, .relinquishToWriter, PresenterMessageID(2)),
                .send(outer, .accommodateSubitemDeletion(Arbiter.path("/d/x")), PresenterMessageID(3)),
            ])
        var last: [Action] = []
        for message in 1...5 {
            last = try arbiter.input(.answer(PresenterMessageID(UInt64(message)), .done(reacquires: false), from: bob))
        }
        #expect(last == [granted(a1, "/d/x")])
        #expect(
            try arbiter.input(.end(a1, [ItemChange(.disappeared, Arbiter.path("/d/x"))]))
                == [
                    .send(shown, .didChange, nil), .send(inner, .didChange, nil),
                    .send(outer, .subitemDidChange(Arbiter.path("/d/x")), nil),
                ])
    }

    @Test("A presenter's failure ends the request; those that made way go on")
    func presenterFails() throws {
        var arbiter = Arbiter()
        let second = FilePresenterID(client: bob, number: 2)
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/f"))))
        _ = try arbiter.input(.present(second, PresentedItem(Arbiter.path("/f"))))
        _ = try arbiter.request(a1, Arbiter.write("/f", .merging))
        _ = try arbiter.input(.answer(PresenterMessageID(1), .done(reacquires: true), from: bob))
        let failure = PresenterFailure(domain: "NSCocoaErrorDomain", code: 640, message: "The disk is full.")
        #expect(
            try arbiter.input(.answer(PresenterMessageID(3), .failed(failure), from: bob))
                == [.fail(a1, .presenter(shown, failure)), .send(shown, .reacquire(PresenterMessageID(1)), nil)])
        // The second one's late answer is kept in mind, so that it goes on too.
        #expect(
            try arbiter.input(.answer(PresenterMessageID(2), .done(reacquires: true), from: bob))
                == [.send(second, .reacquire(PresenterMessageID(2)), nil)])
    }

    @Test("Within a claim nothing is asked again, and nobody who waits comes between")
    func nested() throws {
        var arbiter = Arbiter()
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/d/f"))))
        _ = try arbiter.request(a1, Arbiter.read("/d/f"), Arbiter.read("/d/g"), purpose: "p")
        _ = try arbiter.input(.answer(PresenterMessageID(1), .done(reacquires: false), from: bob))
        #expect(
            try arbiter.input(.answer(PresenterMessageID(2), .done(reacquires: false), from: bob))
                == [granted(a1, "/d/f", "/d/g")])
        #expect(try arbiter.request(b1, Arbiter.write("/d/f")) == [])
        #expect(try arbiter.request(a2, Arbiter.read("/d/f"), purpose: "p", parent: a1) == [granted(a2, "/d/f")])
    }

    @Test("A call that can never be granted fails at once, and names the circle")
    func deadlock() throws {
        var arbiter = Arbiter()
        _ = try arbiter.request(a1, Arbiter.write("/f"))
        #expect(
            try arbiter.request(a2, Arbiter.read("/f"), parent: a1)
                == [.report(.deadlock([a2, a1])), .fail(a2, .deadlock([a2, a1]))])
        _ = try arbiter.request(b1, Arbiter.write("/g"))
        #expect(try arbiter.request(a2, Arbiter.write("/g"), parent: a1) == [])
        #expect(
            try arbiter.request(b2, Arbiter.write("/f"), parent: b1)
                == [.report(.deadlock([b2, a1, a2, b1])), .fail(b2, .deadlock([b2, a1, a2, b1]))])
        #expect(try arbiter.input(.end(b1, [])) == [granted(a2, "/g")])
    }

    @Test("A move that closes a circle fails the newest request of it")
    func deadlockByMove() throws {
        var arbiter = Arbiter()
        let mover = Arbiter.id(CoordinationClient(3), 1)
        _ = try arbiter.request(a1, Arbiter.write("/t"))
        _ = try arbiter.request(b1, Arbiter.write("/x"))
        _ = try arbiter.request(mover, Arbiter.write("/m", .moving))
        #expect(try arbiter.request(b2, Arbiter.read("/t"), parent: b1) == [])
        #expect(try arbiter.request(a2, Arbiter.read("/m"), parent: a1) == [])
        let actions = try arbiter.input(
            .moved(mover, from: Arbiter.path("/m"), to: PresentedItem(Arbiter.path("/x"))))
        #expect(actions.contains(.fail(a2, .deadlock([a2, b1, b2, a1]))))
    }

    @Test("A process that ends is released: its claims, its requests, its presenters")
    func clientEnds() throws {
        var arbiter = Arbiter()
        _ = try arbiter.request(b1, Arbiter.write("/f"))
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/g"))))
        #expect(try arbiter.request(a1, Arbiter.write("/f")) == [])
        #expect(try arbiter.request(a2, Arbiter.write("/g")).count == 1)
        #expect(try arbiter.input(.clientEnded(bob)) == [granted(a1, "/f"), granted(a2, "/g")])
        #expect(arbiter.machine.standings.count == 2)
    }

    @Test("A request that waits can be cancelled, one that is granted cannot")
    func cancel() throws {
        var arbiter = Arbiter()
        _ = try arbiter.request(b1, Arbiter.read("/f"))
        _ = try arbiter.request(a1, Arbiter.write("/f"))
        #expect(try arbiter.request(b2, Arbiter.read("/f")) == [])
        #expect(try arbiter.input(.cancel(a1)) == [.fail(a1, .cancelled), granted(b2, "/f")])
        #expect(try arbiter.input(.cancel(b1)) == [])
        #expect(arbiter.machine.standings.map(\.phase) == [.granted, .granted])
    }

    @Test("A presenter that stays silent is reported after 10 s and passed over after 30 s")
    func silence() throws {
        var arbiter = Arbiter()
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/f"))))
        _ = try arbiter.request(a1, Arbiter.write("/f"))
        #expect(arbiter.machine.nextDeadline(now: Timestamp(.zero)) == .seconds(10))
        #expect(arbiter.advance(.seconds(9)) == [])
        #expect(arbiter.advance(.seconds(1)) == [.report(.silent(shown, .relinquishToWriter, a1))])
        #expect(arbiter.machine.nextDeadline(now: Timestamp(.seconds(10))) == .seconds(30))
        #expect(
            arbiter.advance(.seconds(20))
                == [.report(.passedOver(shown, .relinquishToWriter, a1)), granted(a1, "/f")])
        #expect(arbiter.machine.nextDeadline(now: Timestamp(.seconds(30))) == nil)
        #expect(try arbiter.input(.answer(PresenterMessageID(1), .done(reacquires: true), from: bob)) == [])
        #expect(try arbiter.input(.end(a1, [])) == [.send(shown, .reacquire(PresenterMessageID(1)), nil)])
    }

    @Test("Presenters and waiting requests get the new path of a moved item")
    func moves() throws {
        var arbiter = Arbiter()
        let inner = FilePresenterID(client: bob, number: 2)
        let outer = FilePresenterID(client: bob, number: 3)
        _ = try arbiter.input(.present(inner, PresentedItem(Arbiter.path("/d/x/f"))))
        _ = try arbiter.input(.present(outer, PresentedItem(Arbiter.path("/d"))))
        _ = try arbiter.request(a1, Arbiter.write("/d/x", .moving), Arbiter.write("/d/y", .replacing))
        for message in 1...2 {
            _ = try arbiter.input(.answer(PresenterMessageID(UInt64(message)), .done(reacquires: false), from: bob))
        }
        #expect(try arbiter.request(b1, Arbiter.read("/d/x/f", .withoutChanges), presenter: inner) == [])
        let moved = FileCoordinationStateMachine.Input.moved(
            a1, from: Arbiter.path("/d/x"), to: PresentedItem(Arbiter.path("/d/y")))
        #expect(
            try arbiter.input(moved)
                == [
                    .send(inner, .didMove(Arbiter.path("/d/y/f")), nil),
                    .send(outer, .subitemDidMove(Arbiter.path("/d/x"), to: Arbiter.path("/d/y")), nil),
                ])
        #expect(try arbiter.input(.end(a1, [])) == [granted(b1, "/d/y/f")])
        // Only who holds the claim can announce a move.
        #expect(try arbiter.input(moved) == [])
    }

    @Test("Two items that take each other's places: who shows one follows it, once")
    func exchanges() throws {
        var arbiter = Arbiter()
        let (one, other) = (FilePresenterID(client: bob, number: 2), FilePresenterID(client: bob, number: 3))
        let (first, second) = (PresentedItem(Arbiter.path("/d/x")), PresentedItem(Arbiter.path("/e/y")))
        _ = try arbiter.request(a1, Arbiter.write("/d/x", .moving), Arbiter.write("/e/y", .moving))
        _ = try arbiter.input(.present(one, PresentedItem(Arbiter.path("/d/x/f"))))
        _ = try arbiter.input(.present(other, second))
        #expect(
            try arbiter.input(.exchanged(a1, first, second))
                == [
                    .send(one, .didMove(Arbiter.path("/e/y/f")), nil),
                    .send(other, .didMove(Arbiter.path("/d/x")), nil),
                ])
        _ = try arbiter.input(.end(a1, []))
        #expect(try arbiter.input(.exchanged(a1, first, second)) == [])
    }

    @Test("A package counts as one item: the outermost one counts, and no container of iCloud is one")
    func units() {
        func unit(_ path: String) -> String {
            Arbiter.path(path).unit { $0.hasSuffix(".rtfd") || $0.lowercased().hasSuffix(".app") }.description
        }
        #expect(unit("/d/a.rtfd/b.rtfd/c") == "/d/a.rtfd")
        #expect(unit("/d/iCloud.com.example.App/Documents/a.txt") == "/d/iCloud.com.example.App/Documents/a.txt")
        #expect(unit("/d/ABCDE12345.com.example.App/a.rtfd/x") == "/d/ABCDE12345.com.example.App/a.rtfd")
        #expect(unit("/d/Tool.app/x") == "/d/Tool.app")
    }

    @Test("Versions are told to all presenters, changes to those of others, and of what is around")
    func versions() throws {
        var arbiter = Arbiter()
        let outer = FilePresenterID(client: ann, number: 1)
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/d/f"))))
        _ = try arbiter.input(.present(outer, PresentedItem(Arbiter.path("/d"))))
        let item = PresentedItem(Arbiter.path("/d/f"))
        #expect(
            try arbiter.input(.versionsChanged(item, .gained, "v1"))
                == [
                    .send(outer, .subitemVersion(Arbiter.path("/d/f"), .gained, "v1"), nil),
                    .send(shown, .version(.gained, "v1"), nil),
                ])
        #expect(
            try arbiter.input(.changed(ItemChange(.appeared, Arbiter.path("/d/g"))))
                == [.send(outer, .subitemDidAppear(Arbiter.path("/d/g")), nil)])
        #expect(
            try arbiter.input(.ubiquityAttributesChanged(item, ["a"]))
                == [.send(shown, .didChangeUbiquityAttributes(["a"]), nil)])
    }

    @Test("A process speaks for itself only, and has so many requests and presenters at most")
    func limits() throws {
        var arbiter = Arbiter()
        var limits = FileCoordinationStateMachine.Limits()
        limits.requestsPerClient = 2
        limits.presentersPerClient = 1
        limits.intentsPerRequest = 1
        arbiter.machine = FileCoordinationStateMachine(limits: limits)
        _ = try arbiter.input(.present(shown, PresentedItem(Arbiter.path("/f"))))
        #expect(throws: CoordinationRefusal.tooManyPresenters) {
            try arbiter.input(.present(FilePresenterID(client: bob, number: 9), nil))
        }
        _ = try arbiter.request(a1, Arbiter.write("/f"))
        #expect(try arbiter.input(.answer(PresenterMessageID(1), .done(reacquires: false), from: ann)) == [])
        #expect(throws: CoordinationRefusal.duplicate) { try arbiter.request(a1, Arbiter.read("/g")) }
        #expect(throws: CoordinationRefusal.noIntents) { try arbiter.request(a2) }
        #expect(throws: CoordinationRefusal.tooManyIntents) {
            try arbiter.request(a2, Arbiter.read("/g"), Arbiter.read("/h"))
        }
        _ = try arbiter.request(a2, Arbiter.read("/g"))
        #expect(throws: CoordinationRefusal.tooManyRequests) {
            try arbiter.request(Arbiter.id(ann, 3), Arbiter.read("/h"))
        }
        for text in ["", "f", "/a/../b", "/a/./b", "/\0", "/" + String(repeating: "x", count: 5000)] {
            #expect(CoordinatedPath(text) == nil)
        }
        #expect(CoordinatedPath("//a//b/")?.description == "/a/b")
    }

    @Test("Processes of one app have its room together, and no more for being many")
    func manyProcesses() throws {
        var arbiter = Arbiter()
        var limits = FileCoordinationStateMachine.Limits()
        (limits.requestsPerApp, limits.intentsPerApp, limits.presentersPerApp) = (3, 4, 2)
        arbiter.machine = FileCoordinationStateMachine(limits: limits)
        let clients = (1...4 as ClosedRange<UInt64>).map { CoordinationClient(10 + $0, app: 11) }
        _ = try arbiter.request(Arbiter.id(clients[0], 1), Arbiter.read("/f"), Arbiter.read("/g"))
        _ = try arbiter.request(Arbiter.id(clients[1], 1), Arbiter.read("/f"))
        #expect(throws: CoordinationRefusal.tooManyIntents) {
            try arbiter.request(Arbiter.id(clients[2], 1), Arbiter.read("/f"), Arbiter.read("/g"))
        }
        _ = try arbiter.request(Arbiter.id(clients[2], 1), Arbiter.read("/f"))
        #expect(throws: CoordinationRefusal.tooManyRequests) {
            try arbiter.request(Arbiter.id(clients[3], 1), Arbiter.read("/f"))
        }
        for client in clients.prefix(2) {
            _ = try arbiter.input(.present(FilePresenterID(client: client, number: 1), nil))
        }
        #expect(throws: CoordinationRefusal.tooManyPresenters) {
            try arbiter.input(.present(FilePresenterID(client: clients[2], number: 1), nil))
        }
        // Another app has its own room.
        #expect(try arbiter.request(a1, Arbiter.read("/f")).count == 1)
        _ = try arbiter.input(.present(shown, nil))
        // Ended requests leave room to the app's others.
        _ = try arbiter.input(.clientEnded(clients[0]))
        _ = try arbiter.request(Arbiter.id(clients[3], 1), Arbiter.read("/f"))
    }

    @Test("However much a process asks for at once, what it holds and what is told of it has a bound")
    func floods() throws {
        var arbiter = Arbiter()
        var limits = FileCoordinationStateMachine.Limits()
        (limits.intentsPerClient, limits.changesPerClaim, limits.news) = (3, 2, 6)
        arbiter.machine = FileCoordinationStateMachine(limits: limits)
        _ = try arbiter.request(a1, Arbiter.write("/f"), Arbiter.write("/g"))
        #expect(throws: CoordinationRefusal.tooManyIntents) {
            try arbiter.request(a2, Arbiter.read("/h"), Arbiter.read("/i"))
        }
        // Others have their own room, and what has ended takes none.
        _ = try arbiter.request(b1, Arbiter.read("/h"), Arbiter.read("/i"))
        for number in 1...4 as ClosedRange<UInt64> {
            let presenter = FilePresenterID(client: bob, number: number)
            _ = try arbiter.input(.present(presenter, PresentedItem(Arbiter.path("/f"))))
        }
        let changes = (0..<1000).map { ItemChange(.changed, Arbiter.path("/f/\($0)")) }
        // Two changes, of which the second is sent to as many as were begun with.
        #expect(try arbiter.input(.end(a1, changes)).count == 8)
        _ = try arbiter.request(a2, Arbiter.read("/h"), Arbiter.read("/i"))
        arbiter.machine = FileCoordinationStateMachine()
        _ = try arbiter.request(a1, Arbiter.write("/f"))
        for number in 1...100 as ClosedRange<UInt64> {
            let presenter = FilePresenterID(client: bob, number: number)
            _ = try arbiter.input(.present(presenter, PresentedItem(Arbiter.path("/f"))))
        }
        let many = (0..<100_000).map { ItemChange(.changed, Arbiter.path("/f/\($0)")) }
        #expect(try arbiter.input(.end(a1, many)).count < 70_000)
    }
}
