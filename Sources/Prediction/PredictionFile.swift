package import Foundation

/// The form of the events on the disk.
extension PredictionMemory {
    private struct Form: Codable {
        struct Item: Codable {
            var kind: PredictionItem.Kind
            var app: String
            var id: String
            var name: String
        }
        var version: Int
        var items: [Item]
        /// For each event three numbers: the time, the minute of the day, and the item's place, or below 0 a context.
        var events: [Int64]
    }

    package static let fileLimit = 8 << 20

    package func encoded() throws -> Data {
        var numbers: [Int64] = []
        numbers.reserveCapacity(events.count * 3)
        for event in events {
            numbers += [Int64(clamping: event.time), Int64(event.minute), Self.code(event.subject)]
        }
        let items = zip(self.items, names).map { Form.Item(kind: $0.kind, app: $0.app, id: $0.id, name: $1) }
        return try JSONEncoder().encode(Form(version: 1, items: items, events: numbers))
    }

    private static func code(_ subject: PredictionEvent.Subject) -> Int64 {
        switch subject {
        case .item(let number): Int64(number)
        case .context(let context): -1 - Int64(PredictionContext.allCases.firstIndex(of: context) ?? 0)
        }
    }

    /// - Throws: where the file is not one of these, or of a newer version. Single events that say nothing are left out.
    package init(decoding data: Data, limits: Limits = Limits()) throws {
        self.init(limits: limits)
        let form = try JSONDecoder().decode(Form.self, from: data)
        guard form.version == 1 else { throw CocoaError(.fileReadCorruptFile) }
        // The same item twice becomes one when the tables are made.
        items = form.items.map { PredictionItem(kind: $0.kind, app: $0.app, id: $0.id) }
        names = form.items.map { String(decoding: $0.name.utf8.prefix(256), as: UTF8.self) }
        let contexts = PredictionContext.allCases
        for place in stride(from: 0, to: form.events.count - 2, by: 3).suffix(limits.events) {
            let (time, minute, code) = (form.events[place], form.events[place + 1], form.events[place + 2])
            guard time >= 0, (0..<1440).contains(minute) else { continue }
            let subject: PredictionEvent.Subject
            if items.indices.contains(Int(clamping: code)), code < PredictionEvent.maximumItems {
                subject = .item(UInt32(code))
            } else if code < 0, code >= -Int64(contexts.count) {
                subject = .context(contexts[Int(-1 - code)])
            } else {
                continue
            }
            events.append(PredictionEvent(subject: subject, minute: UInt16(minute), time: UInt64(time)))
        }
        rebuild()
    }
}
