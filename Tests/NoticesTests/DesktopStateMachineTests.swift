import BatonTestSupport
import Testing

@testable import Notices

struct DesktopStateMachineTests {
    private typealias Action = DesktopStateMachine.Action
    private var machine = DesktopStateMachine()
    private let names = ["actions", "body"]
    private let all = DesktopCapabilities(names: ["actions", "body"])

    /// Connected, with a server that has answered.
    private mutating func connect(_ notice: Notice = Made.notice(1)) -> [Action] {
        #expect(machine.show(notice, now: .zero) == [.connect])
        #expect(machine.connected(now: .zero) == [.askServer(mayStart: true)])
        return machine.serverAnswered(owner: ":1.5", bus: "bus", names, now: .zero)
    }

    @Test("the bus is looked for with the first notice, and without one at rare intervals only")
    mutating func absent() {
        #expect(machine.start(now: .zero).isEmpty)
        #expect(machine.nextDeadline == nil)
        var attempts = 0
        for second in 0..<3600 {
            let now = Duration.seconds(second)
            let actions = machine.show(Made.notice(UInt64(second % 8 + 1), title: "\(second)"), now: now)
            if actions == [.connect] {
                attempts += 1
                #expect(machine.disconnected(now: now).isEmpty)
            }
            #expect(machine.nextDeadline == nil)
        }
        #expect(attempts > 5)
        #expect(attempts < 20)
    }

    @Test("a notice that changes replaces itself, and changes while the server thinks are one")
    mutating func replaces() {
        #expect(connect() == [.notify(call: 1, Made.notice(1), replaces: 0, all)])
        #expect(machine.show(Made.notice(1, title: "b"), now: .zero).isEmpty)
        #expect(machine.show(Made.notice(1, title: "c"), now: .zero).isEmpty)
        #expect(
            machine.notified(call: 1, number: 9, now: .zero) == [
                .remember(owner: ":1.5", notices: [9]), .notify(call: 2, Made.notice(1, title: "c"), replaces: 9, all),
            ])
        #expect(machine.notified(call: 2, number: 9, now: .zero).isEmpty)
        #expect(machine.close(1) == [.close(9), .remember(owner: ":1.5", notices: [])])
    }

    @Test("a notice that is over before the server has answered is closed when it has")
    mutating func closedMeanwhile() {
        _ = connect()
        #expect(machine.close(1).isEmpty)
        #expect(machine.notified(call: 1, number: 3, now: .zero) == [.close(3)])
    }

    @Test("buttons count once, from the server alone, for what has buttons (H-13)")
    mutating func buttons() {
        _ = connect()
        _ = machine.notified(call: 1, number: 3, now: .zero)
        #expect(machine.invokedSignal(sender: ":1.6", number: 3, action: "default").isEmpty)
        #expect(machine.invokedSignal(sender: ":1.5", number: 4, action: "default").isEmpty)
        #expect(machine.invokedSignal(sender: ":1.5", number: 3, action: "inline-reply").isEmpty)
        #expect(machine.invokedSignal(sender: ":1.5", number: 3, action: "continue") == [.tell(.invoked(1))])
        #expect(machine.invokedSignal(sender: ":1.5", number: 3, action: "default").isEmpty)
        #expect(machine.closedSignal(sender: ":1.6", number: 3).isEmpty)
        #expect(
            machine.closedSignal(sender: ":1.5", number: 3) == [
                .tell(.closed(1)), .remember(owner: ":1.5", notices: []),
            ])
        #expect(machine.closedSignal(sender: ":1.5", number: 3).isEmpty)
        _ = machine.show(Made.notice(2, .failed), now: .zero)
        _ = machine.notified(call: 2, number: 8, now: .zero)
        #expect(machine.invokedSignal(sender: ":1.5", number: 8, action: "default").isEmpty)
    }

    @Test("a server that closes before it answers has closed it; what it says of others is forgotten")
    mutating func earlyClose() {
        _ = connect()
        for number in 100..<200 { #expect(machine.closedSignal(sender: ":1.5", number: UInt32(number)).isEmpty) }
        #expect(machine.closedSignal(sender: ":1.5", number: 3).isEmpty)
        #expect(machine.notified(call: 1, number: 3, now: .zero) == [.tell(.closed(1))])
        #expect(!machine.awaitsAnswers)
    }

    @Test("a server that says no, or 0, or the same of two, is not told of the notice again")
    mutating func nonsense() {
        _ = connect()
        #expect(machine.notified(call: 1, number: 0, now: .zero).isEmpty)
        #expect(machine.notified(call: 1, number: 5, now: .zero).isEmpty)
        #expect(machine.close(1).isEmpty)
        #expect(machine.show(Made.notice(2), now: .zero).count == 1)
        #expect(machine.refused(call: 2).isEmpty)
        #expect(machine.show(Made.notice(3), now: .zero).count == 1)
        #expect(machine.show(Made.notice(4), now: .zero).count == 1)
        _ = machine.notified(call: 3, number: .max, now: .zero)
        _ = machine.notified(call: 4, number: .max, now: .zero)
        #expect(machine.close(3).isEmpty)
        #expect(machine.close(4).first == .close(.max))
    }

    @Test("a server that hangs is left alone for a while; a new one is shown what is open")
    mutating func hangs() {
        _ = connect()
        #expect(machine.unanswered(call: 1, now: .seconds(10)).isEmpty)
        #expect(machine.show(Made.notice(2), now: .seconds(11)).isEmpty)
        #expect(machine.ownerChanged(nil, now: .seconds(12)).isEmpty)
        #expect(machine.ownerChanged(":1.7", now: .seconds(13)) == [.askServer(mayStart: true)])
        let shown = machine.serverAnswered(owner: ":1.7", bus: "bus", names, now: .seconds(13))
        #expect(shown.count == 2)
        // The old one's answer to the old call is none of the new one's.
        #expect(machine.notified(call: 1, number: 77, now: .seconds(14)).isEmpty)
    }

    @Test("servers that come and go a thousand times in a second are asked once in five")
    mutating func flaps() {
        _ = connect()
        var asked = 0
        for turn in 0..<10_000 {
            let now = Duration.milliseconds(turn)
            let actions =
                machine.ownerChanged(nil, now: now) + machine.ownerChanged(":1.\(turn + 10)", now: now)
                + machine.advance(now: now)
            guard actions.contains(.askServer(mayStart: true)) else { continue }
            asked += 1
            _ = machine.serverFailed(now: now)
        }
        #expect(asked <= 3)
        #expect(machine.nextDeadline != nil)
    }

    @Test("what a killed daemon left is closed, if it is the same bus and server; else it is gone by itself")
    mutating func leftover() {
        let ledger = DesktopLedger(bus: "bus", owner: ":1.5", notices: [4, 9])
        for (owner, bus, isSame) in [(":1.5", "bus", true), (":1.6", "bus", false), (":1.5", "other", false)] {
            var machine = DesktopStateMachine(leftover: ledger)
            #expect(machine.start(now: .zero) == [.connect])
            // No server is started only to hear that something is over.
            #expect(machine.connected(now: .zero) == [.askServer(mayStart: false)])
            let actions = machine.serverAnswered(owner: owner, bus: bus, names, now: .zero)
            let forgotten = Action.remember(owner: owner, notices: [])
            #expect(actions == (isSame ? [.close(4), .close(9), forgotten] : [forgotten]))
        }
    }

    @Test("at the end everything is closed")
    mutating func shutdown() {
        _ = connect()
        _ = machine.notified(call: 1, number: 3, now: .zero)
        _ = machine.show(Made.notice(2), now: .zero)
        #expect(machine.shutdown().contains(.close(3)))
        #expect(machine.awaitsAnswers)
        #expect(machine.notified(call: 2, number: 6, now: .zero).contains(.close(6)))
        #expect(!machine.awaitsAnswers)
    }

    @Test("random servers: nothing stays on the desktop that is over, and what is open is there", arguments: 0..<40)
    func simulation(seed: UInt64) {
        var world = DesktopWorld(seed: seed)
        for _ in 0..<1000 { world.step() }
        #expect(world.finish() == nil, "seed \(seed)")
    }
}

/// A desktop that does what it likes, and the notices that are meant to be on it.
private struct DesktopWorld {
    var machine = DesktopStateMachine()
    var generator: SeededGenerator
    var now = Duration.zero
    var isConnected = false
    var isConnecting = false
    var owner: Int?
    var owners = 0
    var isAsked = false
    /// On the server now: its numbers, and the notices' identifiers.
    var onServer: [UInt32: UInt64] = [:]
    var lastNumber: UInt32 = 0
    var calls: [(call: UInt64, notice: UInt64, replaces: UInt32)] = []
    var meant: Set<UInt64> = []
    var lastNotice: UInt64 = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func step() {
        now += .milliseconds(Int64.random(in: 0...4000, using: &generator))
        perform(machine.advance(now: now))
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1:
            lastNotice += 1
            guard meant.count < 20 else { break }
            meant.insert(lastNotice)
            perform(machine.show(Made.notice(lastNotice), now: now))
        case 2:
            guard let id = meant.sorted().randomElement(using: &generator) else { break }
            perform(machine.show(Made.notice(id, title: "\(now)"), now: now))
        case 3:
            guard let id = meant.sorted().randomElement(using: &generator) else { break }
            meant.remove(id)
            perform(machine.close(id))
        case 4:
            guard let number = onServer.keys.sorted().randomElement(using: &generator) else { break }
            closedByServer(number)
        case 5: if Int.random(in: 0..<5, using: &generator) == 0 { changeOwner() }
        case 6: if Int.random(in: 0..<10, using: &generator) == 0 { disconnect() }
        default: settleOne()
        }
    }

    private mutating func closedByServer(_ number: UInt32) {
        onServer[number] = nil
        perform(machine.closedSignal(sender: ":\(owner ?? 0)", number: number))
    }

    private mutating func changeOwner() {
        guard isConnected else { return }
        onServer = [:]
        for call in calls { perform(machine.unanswered(call: call.call, now: now)) }
        calls = []
        owner = owner == nil || Bool.random(using: &generator) ? owners : nil
        owners += 1
        if isAsked {
            isAsked = false
            perform(machine.serverFailed(now: now))
        }
        perform(machine.ownerChanged(owner.map { ":\($0)" }, now: now))
    }

    private mutating func disconnect() {
        guard isConnected || isConnecting else { return }
        (isConnected, isConnecting, isAsked, owner, calls, onServer) = (false, false, false, nil, [], [:])
        perform(machine.disconnected(now: now))
    }

    private mutating func settleOne() {
        if isConnecting {
            isConnecting = false
            isConnected = true
            owner = owners
            owners += 1
            perform(machine.connected(now: now))
        } else if isAsked {
            isAsked = false
            if let owner {
                perform(machine.serverAnswered(owner: ":\(owner)", bus: "bus", ["actions", "body"], now: now))
            } else {
                perform(machine.serverFailed(now: now))
            }
        } else if !calls.isEmpty {
            let (call, notice, replaces) = calls.removeFirst()
            var number = replaces
            if number == 0 || onServer[number] == nil {
                lastNumber += 1
                number = lastNumber
            }
            onServer[number] = notice
            perform(machine.notified(call: call, number: number, now: now))
        }
    }

    private mutating func perform(_ actions: [DesktopStateMachine.Action]) {
        for action in actions {
            switch action {
            case .connect: isConnecting = true
            case .askServer: isAsked = true
            case .notify(let call, let notice, let replaces, _): calls.append((call, notice.id, replaces))
            case .close(let number): onServer[number] = nil
            case .tell(.closed(let id)): meant.remove(id)
            case .tell(.invoked), .tell(.answered), .tell(.arrival), .tell(.reminder), .remember: break
            }
        }
    }

    /// The server behaves from now on.
    mutating func finish() -> String? {
        for _ in 0..<200 {
            now += .seconds(10)
            perform(machine.advance(now: now))
            while isConnecting || isAsked || !calls.isEmpty { settleOne() }
            // Something to try again with.
            if let id = meant.min() { perform(machine.show(Made.notice(id, title: "\(now)"), now: now)) }
        }
        while isConnecting || isAsked || !calls.isEmpty { settleOne() }
        guard isConnected, owner != nil else { return nil }
        let there = Set(onServer.values)
        return there == meant && onServer.count == meant.count ? nil : "there: \(onServer), meant: \(meant.sorted())"
    }
}
