import BatonConcurrency
import BatonTestSupport
import Foundation
import Testing

@testable import Baton

/// A document, its file and others who use it, as far as the machine knows them.
private struct Simulation {
    typealias Machine = DocumentStateMachine

    private var machine = Machine()
    private var generator: SeededGenerator
    private var time: Duration = .seconds(1)
    private var lastID: UInt64 = 0
    private var waiting: Set<Machine.ID> = []
    private var job: (action: Machine.Action, position: Int)?
    private var asking: Set<Machine.ID> = []
    private var holders: Set<Machine.ID> = []
    private var isObserving = false
    private var isLoaded = false
    private var isPresented = false
    /// The edits: a number for each, and the number that was written last.
    private var edit = 0
    private var written = 0
    private var file = 0
    private var fileExists = true
    private(set) var counts = (reads: 0, writes: 0, failures: 0, yields: 0, reloads: 0, deleted: 0)

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func chance(_ interval: Int) -> Bool { Int.random(in: 0..<interval, using: &generator) == 0 }

    mutating func step() {
        switch Int.random(in: 0..<16, using: &generator) {
        case 0: if chance(4) { request(.open) }
        case 1: if chance(3) { request(.save(creating: chance(2))) }
        case 2: if chance(3) { request(chance(8) ? .close : .autosave) }
        case 3: if chance(3) { request(.revert) }
        case 4:
            edit += 1
            input(.counted(.done))
        case 6:
            lastID += 1
            let id = Machine.ID(number: lastID)
            asking.insert(id)
            input(.relinquish(id))
        case 7: if let id = holders.min() { leave(id) }
        case 8, 12, 13: finish(succeeded: !chance(4))
        case 9, 14: observe()
        case 5, 10:
            time += .seconds(20)
            perform(machine.advance(now: Timestamp(time)))
        default:
            if holders.isEmpty { input(.hint) } else if chance(3) { request(.saveForOther) }
        }
        check()
    }

    private mutating func leave(_ id: Machine.ID) {
        holders.remove(id)
        // He has perhaps written, or deleted the file.
        if chance(2), job == nil { file = -Int.random(in: 1..<1000, using: &generator) }
        if chance(8), job == nil { fileExists = false }
        input(.reacquired(id))
    }

    private mutating func request(_ request: Machine.Request) {
        lastID += 1
        let id = Machine.ID(number: lastID)
        waiting.insert(id)
        input(.request(id, request))
    }

    private mutating func finish(succeeded: Bool) {
        guard let (action, position) = job else { return }
        if case .read = action, succeeded, fileExists, !isLoaded {
            isLoaded = true
            edit = file
            written = file
            return input(.loaded)
        }
        job = nil
        switch action {
        case .read(let id, _):
            let succeeded = isLoaded
            isLoaded = false
            counts.reads += 1
            input(.finished(id, succeeded: succeeded))
        case .write(let id, let isCreating):
            let succeeded = succeeded && (isCreating || fileExists)
            // The document's own methods may write, or answer without having written.
            let isOwn = machine.method != .none
            if isOwn, chance(4) { return input(.answered(id, succeeded: succeeded)) }
            if isOwn { machine.beginWriting() }
            if succeeded {
                file = isOwn ? edit : position
                written = file
                fileExists = true
                counts.writes += 1
            } else {
                counts.failures += 1
            }
            guard isOwn else { return input(.finished(id, succeeded: succeeded)) }
            input(.written(id, succeeded: succeeded))
            check()
            // Something may be changed before they return.
            if chance(4) {
                edit += 1
                input(.counted(.done))
            }
            input(.answered(id, succeeded: succeeded))
        default: Issue.record("\(action) is no job")
        }
    }

    private mutating func observe() {
        guard isObserving else { return }
        isObserving = false
        input(.observed(!fileExists ? .missing : file == written ? .unchanged : .changed))
    }

    private mutating func input(_ input: Machine.Input) { perform(machine.handle(input, now: Timestamp(time))) }

    private mutating func perform(_ actions: [Machine.Action]) {
        for action in actions {
            switch action {
            case .read(let id, let isReverting):
                #expect(job == nil, "two jobs at once")
                #expect(holders.isEmpty, "read while somebody else uses the file")
                if isReverting, id.number > 1 << 62 {
                    counts.reloads += 1
                    #expect(!machine.counter.isEdited, "reloaded over what is not saved")
                }
                job = (action, edit)
            case .write(_, let isCreating):
                #expect(job == nil, "two jobs at once")
                #expect(machine.isOpen || isCreating, "written without having been read")
                job = (action, edit)
            case .complete(let id, _):
                if id.number < 1 << 62 { #expect(waiting.remove(id) != nil, "completed twice") }
            case .yield(let id):
                #expect(asking.remove(id) != nil)
                holders.insert(id)
                counts.yields += 1
            case .observe:
                #expect(!isObserving)
                isObserving = true
            case .present(let isPresented):
                #expect(self.isPresented != isPresented)
                self.isPresented = isPresented
            case .stateChanged: break
            }
        }
        if machine.isDeleted { counts.deleted += 1 }
    }

    private func check() {
        #expect(machine.isOpen == isPresented)
        if machine.isOpen, job == nil, edit != written { #expect(machine.counter.isEdited, "an edit is forgotten") }
    }

    /// All ends: nothing may be left waiting, and what was edited is in the file.
    mutating func finish() {
        for _ in 0..<1000 {
            if let id = holders.min() {
                holders.remove(id)
                input(.reacquired(id))
            } else if job != nil {
                finish(succeeded: true)
            } else if isObserving {
                observe()
            } else if machine.nextDeadline(now: Timestamp(time)) != nil, fileExists {
                time += .seconds(400)
                perform(machine.advance(now: Timestamp(time)))
            } else {
                break
            }
        }
        #expect(waiting.isEmpty)
        #expect(asking.isEmpty)
        if machine.isOpen, fileExists { #expect(edit == file, "not saved, or not read again") }
    }
}

@Suite("Documents' state machine", .timeLimit(.minutes(1))) struct DocumentStateMachineTests {
    @Test("One job at a time, every request completed once, no edit forgotten, no newer file missed")
    func schedules() {
        var totals = (reads: 0, writes: 0, failures: 0, yields: 0, reloads: 0, deleted: 0)
        let seeds = Schedules.seeds(300, soak: 100_000)
        for seed in seeds {
            var simulation = Simulation(seed: seed)
            for _ in 0..<200 { simulation.step() }
            simulation.finish()
            totals.reads += simulation.counts.reads
            totals.writes += simulation.counts.writes
            totals.failures += simulation.counts.failures
            totals.yields += simulation.counts.yields
            totals.reloads += simulation.counts.reloads
            totals.deleted += simulation.counts.deleted
        }
        for (number, interval) in [
            (totals.reads, 1.0), (totals.writes, 1.0), (totals.failures, 1.0), (totals.yields, 1.0),
            (totals.reloads, 50), (totals.deleted, 20),
        ] {
            #expect(Schedules.isEnough(number, of: seeds.count, oneIn: interval), "\(totals)")
        }
    }

    @Test("Automatic saving: 3 s after the last change, 15 s after the first, later after failures")
    func autosave() {
        typealias Machine = DocumentStateMachine
        var machine = Machine()
        let open = Machine.ID(number: 1)
        _ = machine.handle(.request(open, .open), now: Timestamp(.zero))
        _ = machine.handle(.finished(open, succeeded: true), now: Timestamp(.zero))
        #expect(machine.nextDeadline(now: Timestamp(.zero)) == nil)
        _ = machine.handle(.counted(.done), now: Timestamp(.seconds(10)))
        #expect(machine.nextDeadline(now: Timestamp(.seconds(10))) == .seconds(13))
        for second in 11...24 { _ = machine.handle(.counted(.done), now: Timestamp(.seconds(second))) }
        #expect(machine.nextDeadline(now: Timestamp(.seconds(24))) == .seconds(25))
        var delays: [Duration] = []
        var now: Duration = .seconds(25)
        for _ in 0..<7 {
            guard case .write(let id, creating: false)? = machine.advance(now: Timestamp(now)).first else {
                Issue.record("nothing was saved at \(now)")
                return
            }
            _ = machine.handle(.finished(id, succeeded: false), now: Timestamp(now))
            let next = machine.nextDeadline(now: Timestamp(now)) ?? .zero
            delays.append(next - now)
            now = next
        }
        #expect(delays == [15, 30, 60, 120, 240, 300, 300].map { .seconds($0) })
        _ = machine.handle(.editingDisabled(true), now: Timestamp(now))
        #expect(machine.nextDeadline(now: Timestamp(now)) == nil)
    }

    /// A machine whose document was read at 0 s and edited at 1 s.
    private func edited() -> DocumentStateMachine {
        var machine = DocumentStateMachine()
        let open = DocumentStateMachine.ID(number: 1)
        _ = machine.handle(.request(open, .open), now: Timestamp(.zero))
        _ = machine.handle(.finished(open, succeeded: true), now: Timestamp(.zero))
        _ = machine.handle(.observed(.unchanged), now: Timestamp(.zero))
        _ = machine.handle(.counted(.done), now: Timestamp(.seconds(1)))
        return machine
    }

    @Test("Methods that answer without having saved are asked again later, and a document can be closed")
    func answered() {
        typealias Machine = DocumentStateMachine
        var machine = edited()
        var now: Duration = .seconds(4)
        for delay in [15, 30] {
            guard case .write(let id, creating: false)? = machine.advance(now: Timestamp(now)).first else {
                Issue.record("nothing was saved at \(now)")
                return
            }
            #expect(machine.method == .autosave)
            _ = machine.handle(.answered(id, succeeded: true), now: Timestamp(now))
            #expect(machine.counter.isEdited && machine.method == .none)
            let next = machine.nextDeadline(now: Timestamp(now))
            #expect(next == now + .seconds(delay))
            now += .seconds(delay)
        }
        let close = Machine.ID(number: 2)
        let closing = machine.handle(.request(close, .close), now: Timestamp(now))
        #expect(closing == [.write(close, creating: false)] && machine.isClosing)
        let actions = machine.handle(.answered(close, succeeded: true), now: Timestamp(now))
        #expect(actions.last == .complete(close, true) && !machine.isOpen && machine.counter.isEdited)
    }

    @Test("Methods that write and then change something are asked once more before a document is closed")
    func written() {
        typealias Machine = DocumentStateMachine
        var machine = edited()
        let now = Timestamp(.seconds(2))
        let save = Machine.ID(number: 2)
        _ = machine.handle(.request(save, .autosave), now: now)
        #expect(machine.method == .save)
        machine.beginWriting()
        _ = machine.handle(.written(save, succeeded: true), now: now)
        #expect(!machine.counter.isEdited && machine.isBusy)
        let saved = machine.handle(.answered(save, succeeded: true), now: now)
        #expect(saved.last == .complete(save, true))
        _ = machine.handle(.counted(.done), now: now)
        let close = Machine.ID(number: 3)
        _ = machine.handle(.request(close, .close), now: now)
        // As a method does that notes when it was called.
        _ = machine.handle(.counted(.done), now: now)
        machine.beginWriting()
        _ = machine.handle(.counted(.done), now: now)
        _ = machine.handle(.written(close, succeeded: true), now: now)
        #expect(machine.counter.isEdited)
        let again = machine.handle(.answered(close, succeeded: true), now: now)
        #expect(again == [.write(close, creating: false)])
        machine.beginWriting()
        _ = machine.handle(.written(close, succeeded: true), now: now)
        let closed = machine.handle(.answered(close, succeeded: true), now: now)
        #expect(closed.last == .complete(close, true) && !machine.isOpen && !machine.counter.isEdited)
    }

    @Test("A document that is saved by hand only is not saved because another program reads it")
    func byHand() {
        typealias Machine = DocumentStateMachine
        var machine = edited()
        machine.savesAutomatically = false
        let (other, save, now) = (Machine.ID(number: 2), Machine.ID(number: 3), Timestamp(.seconds(2)))
        let read = machine.handle(.request(other, .saveForOther), now: now)
        #expect(read == [.complete(other, true)])
        let deadline = machine.nextDeadline(now: now)
        #expect(deadline == nil)
        let saved = machine.handle(.request(save, .save(creating: false)), now: now)
        #expect(saved == [.write(save, creating: false)])
    }

    @Test("Changes: what was saved and undone is out of reach after another change")
    func counter() {
        var counter = ChangeCounter()
        counter.count(.done)
        counter.clear()
        #expect(!counter.isEdited)
        counter.count(.undone)
        #expect(counter.isEdited)
        counter.count(.redone)
        #expect(!counter.isEdited)
        counter.count(.undone)
        counter.count(.done)
        #expect(counter.isEdited)
        let token = counter.token()
        counter.count(.undone)
        counter.count(.done)
        counter.clear(with: token)
        #expect(counter.isEdited)
    }
}
