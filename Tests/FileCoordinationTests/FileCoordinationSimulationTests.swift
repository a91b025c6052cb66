import BatonConcurrency
import BatonTestSupport
import Testing

@testable import FileCoordination

/// Random processes that read, write, present, nest calls, cancel, move and die.
private struct Simulation {
    typealias Machine = FileCoordinationStateMachine

    var machine = Machine()
    var generator: SeededGenerator
    var time = Duration.zero
    var lastRequest: UInt64 = 0
    /// Requests that are neither granted nor failed, and claims.
    var pending: [CoordinationRequestID: CoordinationRequest] = [:]
    var claims: [CoordinationRequestID: CoordinationRequest] = [:]
    /// Messages that wait for an answer. A presenter that is silent never gives one.
    var questions: [(presenter: FilePresenterID, message: PresenterMessageID)] = []
    /// Presenters that made way and have not been asked to go on.
    var waiting: [PresenterMessageID: FilePresenterID] = [:]
    var presenters: Set<FilePresenterID> = []
    var silent: Set<FilePresenterID> = []
    var counts = (granted: 0, deadlocks: 0, cancelled: 0, ended: 0, passedOver: 0, failed: 0, nested: 0)

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &generator) }
    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }

    private func sorted(_ ids: some Sequence<CoordinationRequestID>) -> [CoordinationRequestID] {
        ids.sorted { ($0.client.number, $0.number) < ($1.client.number, $1.number) }
    }

    private static let paths = ["/d", "/d/a", "/d/b", "/d/e", "/d/e/a", "/d/p", "/d/p/x", "/d/p/y", "/f"]

    private static func unit(_ path: String) -> String? { path.hasPrefix("/d/p/") ? "/d/p" : nil }

    private mutating func intent() -> AccessIntent {
        let path = pick(Self.paths) ?? "/f"
        let purpose = pick(AccessIntent.WritingPurpose.allCases) ?? .any
        return chance(2)
            ? Arbiter.read(path, chance(2) ? .withoutChanges : [], unit: Self.unit(path))
            : Arbiter.write(path, purpose, unit: Self.unit(path))
    }

    mutating func step() {
        let client = CoordinationClient(UInt64.random(in: 1...4, using: &generator))
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<7: request(client)
        case 7..<11: if let id = pick(sorted(claims.keys)) { end(id) }
        case 11..<15: answerOne()
        case 15: present(client)
        case 16: if let id = pick(sorted(pending.keys)) { input(.cancel(id)) }
        case 17: move()
        case 18: if chance(6) { endClient(client) } else { removePresenter() }
        default: advance(.seconds(chance(3) ? 11 : 1))
        }
    }

    private mutating func request(_ client: CoordinationClient) {
        guard pending.count < 12 else { return }
        lastRequest += 1
        let id = CoordinationRequestID(client: client, number: lastRequest)
        let own = claims.keys.filter { $0.client == client }
        let parent = chance(3) ? pick(sorted(own)) : nil
        let presenter =
            chance(3)
            ? pick(presenters.filter { $0.client == client }.sorted { $0.number < $1.number }) : nil
        let purpose = parent.flatMap { claims[$0]?.purpose }
        let request = CoordinationRequest(
            id: id, purpose: chance(4) ? "shared" : chance(2) ? purpose ?? "\(lastRequest)" : "\(lastRequest)",
            presenter: presenter, parent: parent, intents: (0..<(chance(3) ? 2 : 1)).map { _ in intent() })
        pending[id] = request
        if parent != nil { counts.nested += 1 }
        input(.request(request))
    }

    private mutating func present(_ client: CoordinationClient) {
        let id = FilePresenterID(client: client, number: UInt64.random(in: 1...2, using: &generator))
        let path = pick(Self.paths) ?? "/f"
        presenters.insert(id)
        if chance(5) { silent.insert(id) } else { silent.remove(id) }
        input(.present(id, PresentedItem(Arbiter.path(path), unit: Self.unit(path).map(Arbiter.path))))
    }

    private mutating func removePresenter() {
        guard let id = pick(presenters.sorted { ($0.client.number, $0.number) < ($1.client.number, $1.number) }) else {
            return
        }
        presenters.remove(id)
        forget { $0 == id }
        input(.removePresenter(id))
    }

    private mutating func forget(_ isGone: (FilePresenterID) -> Bool) {
        waiting = waiting.filter { !isGone($0.value) }
        questions.removeAll { isGone($0.presenter) }
    }

    private mutating func endClient(_ client: CoordinationClient) {
        counts.ended += 1
        presenters = presenters.filter { $0.client != client }
        forget { $0.client == client }
        pending = pending.filter { $0.key.client != client }
        claims = claims.filter { $0.key.client != client }
        input(.clientEnded(client))
    }

    private mutating func answerOne() {
        guard let question = pick(questions.filter { !silent.contains($0.presenter) }) else { return }
        answer(question)
    }

    private mutating func answer(_ question: (presenter: FilePresenterID, message: PresenterMessageID)) {
        questions.removeAll { $0.message == question.message }
        if chance(20) {
            let failure = PresenterFailure(domain: "test", code: 1, message: "No.")
            input(.answer(question.message, .failed(failure), from: question.presenter.client))
        } else {
            let reacquires = chance(2)
            if reacquires { waiting[question.message] = question.presenter }
            input(.answer(question.message, .done(reacquires: reacquires), from: question.presenter.client))
        }
    }

    private mutating func move() {
        let writing = sorted(claims.keys).filter { claims[$0]?.intents[0].access == .writing(.moving) }
        guard let id = pick(writing), let source = claims[id]?.intents[0].path else { return }
        input(.moved(id, from: source, to: PresentedItem(Arbiter.path(pick(Self.paths) ?? "/f"))))
    }

    private mutating func end(_ id: CoordinationRequestID) {
        // A claim does not end before the calls within it.
        guard !pending.values.contains(where: { $0.parent == id }) else { return }
        claims[id] = nil
        input(.end(id, [ItemChange(.changed, Arbiter.path(pick(Self.paths) ?? "/f"))]))
    }

    private mutating func advance(_ duration: Duration) {
        time += duration
        perform(machine.advance(now: Timestamp(time)))
    }

    private mutating func input(_ input: Machine.Input) {
        do { perform(try machine.handle(input, now: Timestamp(time))) } catch { Issue.record(error) }
    }

    private mutating func perform(_ actions: [Machine.Action]) {
        for action in actions {
            switch action {
            case .grant(let id, let paths):
                guard let request = pending.removeValue(forKey: id) else {
                    Issue.record("\(id) was granted, and did not wait")
                    continue
                }
                #expect(paths.count == request.intents.count)
                counts.granted += 1
                claims[id] = machine.entries[id]?.request ?? request
                if let conflict = claims.first(where: {
                    $0.key != id && $0.value.conflicts(with: claims[id] ?? request)
                }) {
                    Issue.record("\(id) was granted while \(conflict.key) holds \(conflict.value.intents)")
                }
            case .fail(let id, let failure):
                #expect(pending.removeValue(forKey: id) != nil)
                switch failure {
                case .deadlock: counts.deadlocks += 1
                case .cancelled: counts.cancelled += 1
                case .presenter: counts.failed += 1
                }
            case .send(let presenter, let message, let id):
                #expect(presenters.contains(presenter))
                #expect(message.needsAnswer == (id != nil))
                if let id { questions.append((presenter, id)) }
                if case .reacquire(let id) = message {
                    #expect(waiting.removeValue(forKey: id) == presenter, "told twice, or never asked")
                }
            case .report(.passedOver): counts.passedOver += 1
            case .report: break
            }
        }
    }

    /// Everything that can happen does: nothing may be left waiting.
    mutating func finish() {
        for _ in 0..<10_000 {
            if let question = questions.first(where: { !silent.contains($0.presenter) }) {
                answer(question)
            } else if let id = sorted(claims.keys).first(where: { id in !pending.values.contains { $0.parent == id } })
            {
                end(id)
            } else if machine.nextDeadline(now: Timestamp(time)) != nil {
                advance(.seconds(10))
            } else {
                break
            }
        }
        #expect(pending.isEmpty, "\(machine.standings)")
        #expect(claims.isEmpty)
        #expect(machine.standings.isEmpty)
        #expect(waiting.isEmpty)
    }
}

@Suite("File coordination, simulated", .timeLimit(.minutes(2))) struct FileCoordinationSimulationTests {
    @Test("No two claims conflict, nothing waits for ever, and all who made way go on")
    func schedules() {
        var totals = (granted: 0, deadlocks: 0, cancelled: 0, ended: 0, passedOver: 0, failed: 0, nested: 0)
        let seeds = Schedules.seeds(30, soak: 20_000)
        for seed in seeds {
            var simulation = Simulation(seed: seed)
            for _ in 0..<100 { simulation.step() }
            simulation.finish()
            totals.granted += simulation.counts.granted
            totals.deadlocks += simulation.counts.deadlocks
            totals.cancelled += simulation.counts.cancelled
            totals.ended += simulation.counts.ended
            totals.passedOver += simulation.counts.passedOver
            totals.failed += simulation.counts.failed
            totals.nested += simulation.counts.nested
        }
        for (number, interval) in [
            (totals.granted, 0.1), (totals.deadlocks, 4), (totals.cancelled, 2), (totals.ended, 4),
            (totals.passedOver, 4), (totals.failed, 4), (totals.nested, 1.0),
        ] {
            #expect(Schedules.isEnough(number, of: seeds.count, oneIn: interval), "\(totals)")
        }
    }

    @Test("A writer is granted however many readers keep coming")
    func noStarvation() throws {
        var generator = SeededGenerator(seed: Schedules.oneSeed)
        for _ in 0..<50 {
            var arbiter = Arbiter()
            var held: [CoordinationRequestID] = []
            for number in 1...5 {
                held.append(Arbiter.id(Arbiter.ann, UInt64(number)))
                _ = try arbiter.request(held[number - 1], Arbiter.read("/f"))
            }
            let writer = Arbiter.id(Arbiter.bob, 1)
            _ = try arbiter.request(writer, Arbiter.write("/f"))
            var number: UInt64 = 5
            var isGranted = false
            while !isGranted {
                try #require(number < 50)
                number += 1
                let late = Arbiter.id(Arbiter.ann, number)
                #expect(try arbiter.request(late, Arbiter.read("/f")) == [])
                try #require(!held.isEmpty)
                let index = Int.random(in: 0..<held.count, using: &generator)
                let actions = try arbiter.input(.end(held.remove(at: index), []))
                isGranted = actions.contains { if case .grant(writer, _) = $0 { true } else { false } }
            }
            #expect(held.isEmpty)
        }
    }
}
