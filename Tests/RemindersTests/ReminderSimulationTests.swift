import BatonConcurrency
import BatonCore
import Foundation
import ICalendar
import Reminders
import Testing

/// Three devices of one account, which are off now and then, whose clocks differ, and whose person answers here and there: no alarm
/// is lost, and none is shown twice on one device (P-15).
struct ReminderSimulationTests {
    /// One device: its records, its machine, and what the person sees there.
    private struct Device {
        let name: String
        /// Milliseconds that its clock is ahead.
        let skew: Int64
        var records: [String: ReminderRecord] = [:]
        var machine = ReminderStateMachine()
        var clock = HybridLogicalClock()
        var isOn = true
        /// The shown notices as they are on the disk.
        var kept: [String: (shown: UInt64, isOpen: Bool)] = [:]
        /// Open notices, and when they are of.
        var open: [String: UInt64] = [:]
        /// Notices that were shown and are over.
        var over: [String: Set<UInt64>] = [:]
        var failures: [String] = []

        func wall(_ time: UInt64) -> UInt64 { UInt64(Int64(time) + skew) }
        func moment(_ time: UInt64) -> Timestamp { Timestamp(.milliseconds(Int64(time)), wall: wall(time)) }
        mutating func stamp(_ time: UInt64) -> ReminderStamp { ReminderStamp(clock.now(wall: wall(time)), name) }

        mutating func input(_ input: ReminderInput, _ time: UInt64) { take(machine.handle(input, now: moment(time))) }

        mutating func take(_ actions: [ReminderOutput]) {
            for action in actions {
                switch action {
                case .show(let schedule, let occurrence, _):
                    if open[schedule.id] == nil, over[schedule.id, default: []].contains(occurrence) {
                        failures.append("\(name) showed \(schedule.id) of \(occurrence) twice")
                    }
                    if let former = open[schedule.id], former != occurrence {
                        failures.append("\(name) has two notices of \(schedule.id)")
                    }
                    open[schedule.id] = occurrence
                case .close(let id):
                    if let occurrence = open.removeValue(forKey: id) { over[id, default: []].insert(occurrence) }
                case .keep(let id, let shown, let isOpen):
                    kept[id] = (shown, isOpen)
                }
            }
        }

        mutating func tell(_ ids: some Sequence<String>, _ time: UInt64) {
            for id in ids.sorted() {
                guard let record = records[id], let todo = record.todo(local: .gmt, dayHour: 9) else {
                    input(.removed([id]), time)
                    continue
                }
                var schedule = ReminderSchedule(id: id, title: todo.summary)
                schedule.moments = todo.moments(local: .gmt, dayHour: 9).map { UInt64($0.timeIntervalSince1970 * 1000) }
                schedule.isOver = todo.status.isOver
                schedule.handled = record.handled
                schedule.snoozedUntil = record.answer.snoozedUntil
                input(.scheduled([schedule]), time)
            }
        }

        mutating func restart(_ time: UInt64) {
            machine = ReminderStateMachine()
            // Open notices went with the daemon, and are not over.
            open = [:]
            for (id, kept) in kept { input(.restored(id: id, shown: kept.shown, isOpen: kept.isOpen), time) }
            tell(records.keys, time)
        }

        mutating func merge(_ other: [String: ReminderRecord], _ time: UInt64) {
            var changed: Set<String> = []
            for (id, record) in other {
                try? clock.observe(max(record.textStamp.time, record.answer.stamp.time), wall: wall(time))
                if records[id] == nil {
                    records[id] = record
                    changed.insert(id)
                } else if records[id]?.merge(record) == true {
                    changed.insert(id)
                }
            }
            tell(changed, time)
        }
    }

    private static func text(_ id: String, due: UInt64, rule: String?, summary: String) -> [UInt8] {
        let date = CalendarDate(Date(timeIntervalSince1970: Double(due) / 1000), in: .gmt, form: .utc)
        let lines = [
            "BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:\(id)", "SUMMARY:\(summary)", "DUE:\(date.text)",
            rule.map { "RRULE:\($0)" }, "END:VTODO", "END:VCALENDAR", "",
        ]
        return Array(lines.compactMap(\.self).joined(separator: "\r\n").utf8)
    }

    @Test("no alarm is lost, and none is shown twice on one device (P-15)", arguments: 0..<60)
    func simulate(seed: Int) {
        var random = Random(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
        var time: UInt64 = 1_790_000_000_000
        var devices = [("A", 0), ("B", 700), ("C", -900)].map { Device(name: $0, skew: $1) }
        var count = 0
        for _ in 0..<250 {
            time += UInt64.random(in: 1000...600_000, using: &random)
            let index = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1:
                guard devices[index].isOn, count < 40 else { break }
                count += 1
                let id = "r\(count)"
                let due = (time + UInt64.random(in: 0...5_000_000, using: &random)) / 1000 * 1000
                let rule = Int.random(in: 0..<4, using: &random) == 0 ? "FREQ=DAILY" : nil
                devices[index].records[id] = ReminderRecord(
                    id: id, text: Self.text(id, due: due, rule: rule, summary: "One"), stamp: devices[index].stamp(time)
                )
                devices[index].tell([id], time)
            case 2, 3, 4:
                guard devices[index].isOn, let id = devices[index].open.keys.min(), let shown = devices[index].open[id]
                else { break }
                answer(id, shown, &devices[index], time, &random)
            case 5:
                guard devices[index].isOn else { break }
                devices[index].isOn = false
            case 6:
                guard !devices[index].isOn else { break }
                devices[index].isOn = true
                devices[index].restart(time)
            case 7, 8:
                let other = (index + 1) % 3
                guard devices[index].isOn, devices[other].isOn else { break }
                sync(index, other, &devices, time)
            default:
                // Another program renames it.
                guard devices[index].isOn, let id = devices[index].records.keys.randomElement(using: &random),
                    var record = devices[index].records[id], let todo = record.todo(local: .gmt, dayHour: 9),
                    let file = try? CalendarFile(record.rendered(local: .gmt, dayHour: 9))
                else { break }
                var changed = file
                changed.changeTodo { $0.set(text: "Two", for: "SUMMARY") }
                record.replace(changed.bytes, by: todo, former: todo, stamp: devices[index].stamp(time))
                devices[index].records[id] = record
                devices[index].tell([id], time)
            }
            for index in devices.indices where devices[index].isOn {
                let moment = devices[index].moment(time)
                devices[index].take(devices[index].machine.advance(now: moment))
            }
        }
        settle(&devices, &time)
        check(devices, time)
    }

    private func answer(
        _ id: String, _ shown: UInt64, _ device: inout Device, _ time: UInt64, _ random: inout Random
    ) {
        let (now, stamp) = (device.wall(time), device.stamp(time))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: device.records[id]?.finish(shown: shown, now: now, stamp: stamp)
        case 1: device.records[id]?.snooze(shown: shown, now: now, for: Reminders.snooze, stamp: stamp)
        default:
            device.over[id, default: []].insert(shown)
            device.open[id] = nil
            device.input(.closed(id: id), time)
        }
        device.tell([id], time)
    }

    private func sync(_ first: Int, _ second: Int, _ devices: inout [Device], _ time: UInt64) {
        let (left, right) = (devices[first].records, devices[second].records)
        devices[first].merge(right, time)
        devices[second].merge(left, time)
    }

    /// All are on, have met, and have had time for everything.
    private func settle(_ devices: inout [Device], _ time: inout UInt64) {
        for index in devices.indices where !devices[index].isOn {
            devices[index].isOn = true
            devices[index].restart(time)
        }
        for _ in 0..<3 {
            for pair in [(0, 1), (1, 2), (2, 0)] { sync(pair.0, pair.1, &devices, time) }
        }
        time += 7_000_000
        for index in devices.indices {
            // The person closes what is there, so that there is room for the rest.
            for _ in 0..<200 {
                devices[index].take(devices[index].machine.advance(now: devices[index].moment(time)))
                guard let (id, shown) = devices[index].open.min(by: { $0.key < $1.key }) else { break }
                devices[index].over[id, default: []].insert(shown)
                devices[index].open[id] = nil
                devices[index].input(.closed(id: id), time)
            }
        }
    }

    private func check(_ devices: [Device], _ time: UInt64) {
        for device in devices {
            #expect(device.failures.isEmpty)
            #expect(device.records == devices[0].records, "the records of \(device.name) differ")
            for (id, record) in device.records {
                guard let todo = record.todo(local: .gmt, dayHour: 9), !todo.status.isOver else { continue }
                let moments = todo.moments(local: .gmt, dayHour: 9).map { UInt64($0.timeIntervalSince1970 * 1000) }
                let due = (moments + [record.answer.snoozedUntil].compactMap(\.self)).filter {
                    $0 <= device.wall(time) && $0 > record.handled
                }
                guard let last = due.max() else { continue }
                #expect(device.machine.shown(id) >= last, "\(device.name) lost \(id)")
                guard device.machine.shown(id) == last else { continue }
                #expect(device.over[id]?.contains(last) == true, "\(device.name) never showed \(id)")
            }
        }
    }

    /// xorshift, so that a schedule can be run again.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
