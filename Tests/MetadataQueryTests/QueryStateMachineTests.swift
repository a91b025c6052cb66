import BatonConcurrency
import BatonCore
import BatonTestSupport
import Foundation
import MetadataQuery
import Testing

/// A query's life, without queues and clocks.
@Suite("Query state machine", .timeLimit(.minutes(1))) struct QueryStateMachineTests {
    private typealias Machine = QueryStateMachine

    private func record(_ id: String, _ name: String) -> MetadataRecord {
        MetadataRecord(id: id, attributes: ["name": .string(name)])
    }

    private func at(_ seconds: Double) -> Timestamp { Timestamp(.seconds(seconds)) }

    private func configuration(interval: Duration = .seconds(1)) -> Machine.Configuration {
        Machine.Configuration(
            matches: { $0.attributes["name"] != .string("hidden") },
            order: { left, right in
                ValueOrder.sortOrder(left.attributes["name"] ?? .null, right.attributes["name"] ?? .null)
            }, batchingInterval: interval)
    }

    private func live(_ records: MetadataRecord...) -> Machine {
        var machine = Machine()
        _ = machine.handle(.start(configuration()), now: at(0))
        _ = machine.handle(.deliver, now: at(0))
        _ = machine.handle(.report(.updated(records)), now: at(0))
        _ = machine.handle(.report(.gathered), now: at(0))
        _ = machine.handle(.deliver, now: at(0))
        return machine
    }

    @Test("Start, progress, finish, update: in Apple's order, batched (D-28)")
    func life() {
        var machine = Machine()
        #expect(machine.handle(.start(configuration()), now: at(0)) == [.observe, .requestDelivery])
        #expect(machine.phase == .gathering)
        #expect(machine.handle(.deliver, now: at(0)) == [.notify(.didStartGathering)])
        let (a, b, c) = (record("1", "a"), record("2", "b"), record("3", "c"))
        #expect(machine.handle(.report(.updated([b, record("9", "hidden")])), now: at(1)) == [])
        #expect(machine.handle(.report(.updated([a])), now: at(1.5)) == [])
        #expect(machine.nextDeadline(now: at(1.5)) == .seconds(2))
        #expect(machine.advance(now: at(1.9)) == [])
        #expect(machine.advance(now: at(2)) == [.requestDelivery])
        #expect(machine.advance(now: at(3)) == [])
        #expect(machine.results.isEmpty)
        #expect(
            machine.handle(.deliver, now: at(3)) == [.notify(.gatheringProgress(QueryChanges(added: [a, b])))])
        #expect(machine.handle(.report(.updated([c])), now: at(4)) == [])
        // The end of gathering waits for no batch.
        #expect(machine.handle(.report(.gathered), now: at(4)) == [.requestDelivery])
        #expect(
            machine.handle(.deliver, now: at(4))
                == [.notify(.gatheringProgress(QueryChanges(added: [c]))), .notify(.didFinishGathering)])
        #expect(machine.phase == .live)
        let changed = record("1", "z")
        _ = machine.handle(.report(.updated([changed, record("2", "hidden")])), now: at(5))
        _ = machine.handle(.report(.removed(["3", "7"])), now: at(5))
        #expect(machine.advance(now: at(6)) == [.requestDelivery])
        #expect(
            machine.handle(.deliver, now: at(6))
                == [.notify(.didUpdate(QueryChanges(changed: [changed], removed: [b, c])))])
        #expect(machine.results == [changed])
        #expect(machine.handle(.stop, now: at(7)) == [.cancelObservation])
        #expect(machine.handle(.report(.updated([a])), now: at(7)) == [])
        #expect(machine.results == [changed])
    }

    @Test("A change that is undone is reported to nobody")
    func backAgain() {
        var machine = live(record("1", "a"))
        _ = machine.handle(.report(.updated([record("1", "b"), record("2", "c")])), now: at(1))
        _ = machine.handle(.report(.updated([record("1", "a")])), now: at(1))
        _ = machine.handle(.report(.removed(["2"])), now: at(1))
        #expect(machine.handle(.deliver, now: at(2)) == [])
        #expect(machine.results == [record("1", "a")])
    }

    @Test("Disabled updates nest, also for a delivery that is under way (D-29)")
    func disabled() {
        var machine = live(record("1", "a"))
        _ = machine.handle(.report(.updated([record("2", "b")])), now: at(1))
        #expect(machine.advance(now: at(2)) == [.requestDelivery])
        _ = machine.handle(.disableUpdates, now: at(2))
        _ = machine.handle(.disableUpdates, now: at(2))
        #expect(machine.handle(.deliver, now: at(2)) == [])
        #expect(machine.nextDeadline(now: at(2)) == nil)
        #expect(machine.handle(.enableUpdates, now: at(3)) == [])
        #expect(machine.results.count == 1)
        #expect(machine.handle(.enableUpdates, now: at(3)) == [.requestDelivery])
        #expect(machine.handle(.deliver, now: at(3)) == [.notify(.didUpdate(QueryChanges(added: [record("2", "b")])))])
        // One too many is no debt.
        _ = machine.handle(.enableUpdates, now: at(3))
        _ = machine.handle(.disableUpdates, now: at(3))
        _ = machine.handle(.report(.gathered), now: at(9))
        _ = machine.handle(.report(.removed(["1"])), now: at(9))
        #expect(machine.advance(now: at(20)) == [])
    }

    @Test("Stopping takes what was reported, but not while updates are disabled; starting begins anew")
    func stopping() {
        var machine = live(record("1", "a"))
        _ = machine.handle(.report(.updated([record("2", "b")])), now: at(1))
        var held = machine
        _ = machine.handle(.stop, now: at(1))
        #expect(machine.results.count == 2)
        _ = held.handle(.disableUpdates, now: at(1))
        _ = held.handle(.stop, now: at(1))
        #expect(held.results.count == 1)
        #expect(held.handle(.start(configuration()), now: at(2)) == [.observe, .requestDelivery])
        #expect(held.results.isEmpty)
        #expect(held.handle(.start(configuration()), now: at(2)) == [])
        // A query that is stopped before it has gathered never says that it has.
        _ = held.handle(.report(.gathered), now: at(2))
        _ = held.handle(.stop, now: at(2))
        #expect(held.handle(.deliver, now: at(2)) == [])
    }

    @Test("A source that begins again confirms what still exists")
    func restarted() {
        var machine = live(record("1", "a"), record("2", "b"), record("3", "c"))
        _ = machine.handle(.report(.restarted), now: at(1))
        _ = machine.handle(.report(.updated([record("1", "a"), record("2", "x")])), now: at(1))
        #expect(machine.results.count == 3)
        _ = machine.handle(.report(.gathered), now: at(1))
        #expect(machine.phase == .live)
        _ = machine.advance(now: at(2))
        #expect(
            machine.handle(.deliver, now: at(2))
                == [.notify(.didUpdate(QueryChanges(changed: [record("2", "x")], removed: [record("3", "c")])))])
    }

    @Test("A shorter interval brings a batch forward")
    func interval() {
        var machine = live()
        _ = machine.handle(.report(.updated([record("1", "a")])), now: at(1))
        #expect(machine.handle(.setBatchingInterval(.zero), now: at(1.2)) == [.requestDelivery])
    }

    @Test("For any events, notifications add up to the results, which are those of the source")
    func schedules() {
        var updates = 0
        for seed in Schedules.seeds(200, soak: 20_000) {
            var generator = SeededGenerator(seed: seed)
            var machine = Machine()
            var time = 0.0
            var source: [String: MetadataRecord] = [:]
            var told: [String: MetadataRecord] = [:]
            var names: [String] = []
            var isDelivering = false
            var depth = 0
            func perform(_ actions: [Machine.Action]) {
                for action in actions {
                    switch action {
                    case .requestDelivery:
                        #expect(!isDelivering)
                        isDelivering = true
                    case .notify(let notification):
                        #expect(depth == 0)
                        let changes: QueryChanges?
                        switch notification {
                        case .didStartGathering: (changes, names) = (nil, names + ["start"])
                        case .gatheringProgress(let some): (changes, names) = (some, names + ["progress"])
                        case .didFinishGathering: (changes, names) = (nil, names + ["finish"])
                        case .didUpdate(let some): (changes, names) = (some, names + ["update"])
                        }
                        for record in changes?.added ?? [] {
                            #expect(told.updateValue(record, forKey: record.id) == nil)
                        }
                        for record in changes?.changed ?? [] {
                            #expect(told.updateValue(record, forKey: record.id) != nil)
                        }
                        for record in changes?.removed ?? [] { #expect(told.removeValue(forKey: record.id) != nil) }
                    case .observe, .cancelObservation: break
                    }
                }
            }
            perform(machine.handle(.start(configuration()), now: at(0)))
            for step in 0..<60 {
                time += Double.random(in: 0...1, using: &generator)
                let before = machine.results
                let id = "\(Int.random(in: 0..<6, using: &generator))"
                var mayChange = false
                switch Int.random(in: 0..<9, using: &generator) {
                case 0..<3:
                    let name = ["a", "b", "c", "hidden"].randomElement(using: &generator) ?? "a"
                    source[id] = record(id, name)
                    perform(machine.handle(.report(.updated([record(id, name)])), now: at(time)))
                case 3:
                    source[id] = nil
                    perform(machine.handle(.report(.removed([id])), now: at(time)))
                case 4 where step > 20: perform(machine.handle(.report(.gathered), now: at(time)))
                case 5:
                    depth += 1
                    perform(machine.handle(.disableUpdates, now: at(time)))
                case 6:
                    depth = max(depth - 1, 0)
                    perform(machine.handle(.enableUpdates, now: at(time)))
                case 7 where isDelivering:
                    isDelivering = false
                    mayChange = true
                    perform(machine.handle(.deliver, now: at(time)))
                case 8 where Bool.random(using: &generator):
                    perform(machine.handle(.report(.restarted), now: at(time)))
                    perform(machine.handle(.report(.updated(Array(source.values))), now: at(time)))
                    perform(machine.handle(.report(.gathered), now: at(time)))
                default: perform(machine.advance(now: at(time)))
                }
                #expect(mayChange || machine.results == before)
            }
            while depth > 0 {
                depth -= 1
                perform(machine.handle(.enableUpdates, now: at(time)))
            }
            perform(machine.handle(.report(.gathered), now: at(time)))
            for _ in 0..<3 {
                time += 2
                perform(machine.advance(now: at(time)))
                guard isDelivering else { continue }
                isDelivering = false
                perform(machine.handle(.deliver, now: at(time)))
            }
            let wanted = source.values.filter { $0.attributes["name"] != .string("hidden") }
            #expect(Set(machine.results) == Set(wanted), "seed \(seed)")
            #expect(Set(told.values) == Set(wanted), "seed \(seed)")
            #expect(names.first == "start")
            #expect(names.count { $0 == "finish" } == 1)
            #expect(names.lastIndex(of: "progress") ?? 0 < names.firstIndex(of: "finish") ?? 0)
            #expect(names.firstIndex(of: "update") ?? .max > names.firstIndex(of: "finish") ?? 0)
            updates += names.count { $0 == "update" }
        }
        #expect(Schedules.isEnough(updates, of: Schedules.seeds(200, soak: 20_000).count, oneIn: 2))
    }
}
