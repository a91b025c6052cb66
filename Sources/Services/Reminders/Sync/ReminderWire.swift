import BatonCore
import BatonWire
import Foundation
import ICalendar
import SwiftProtobuf

/// Between messages and the values of this module.
enum ReminderWire {
    /// Bytes of a UID. Policy: reminders with a longer one stay on this device.
    static let maximumID = 1000
    /// Bytes of a calendar file that syncs. Policy: a larger one stays on this device.
    static let maximumText = 256 << 10
    /// Milliseconds since 1970: the year 10000. Policy: nothing is answered or snoozed until later.
    static let endOfTime: UInt64 = 253_402_300_800_000

    static func content(of record: ReminderRecord) throws -> Data {
        try Baton_Sync_V1_ReminderItem.with {
            $0.text = .with {
                $0.time = record.textStamp.time.rawValue
                $0.deviceID = record.textStamp.device
                $0.calendar = Data(record.text)
            }
            $0.answer = .with {
                $0.time = record.answer.stamp.time.rawValue
                $0.deviceID = record.answer.stamp.device
                $0.done = record.answer.isDone
                $0.snoozedUntil = record.answer.snoozedUntil ?? 0
            }
            $0.handled = record.handled
            if let link = record.link {
                $0.activity = .with {
                    $0.app = .init(link.app)
                    $0.appName = link.appName
                    $0.payload = link.payload
                }
            }
        }.serializedData()
    }

    /// Nil for what cannot be read. Times that no calendar has are left out, on each device alike: the greater one wins, and would for
    /// ever. Until the answer itself was given it was answered.
    static func record(_ id: String, _ content: Data) -> ReminderRecord? {
        var options = BinaryDecodingOptions()
        // Values of activities nest deeper than messages usually do.
        options.messageDepthLimit = ConnectCodec.depthLimit
        guard let message = try? Baton_Sync_V1_ReminderItem(serializedBytes: content, options: options),
            message.hasText, message.text.calendar.count <= 1 << 20, message.text.deviceID.utf8.count <= 64,
            message.answer.deviceID.utf8.count <= 64
        else { return nil }
        var record = ReminderRecord(
            id: id, text: Array(message.text.calendar),
            stamp: ReminderStamp(HybridTimestamp(rawValue: message.text.time), message.text.deviceID))
        record.answer.stamp = ReminderStamp(
            HybridTimestamp(rawValue: message.answer.time), message.answer.deviceID)
        record.answer.isDone = message.answer.done
        let snoozed = message.answer.snoozedUntil
        record.answer.snoozedUntil = snoozed > 0 && snoozed < endOfTime ? snoozed : nil
        record.handled =
            message.handled < endOfTime
            ? min(message.handled, endOfHandled(record)) : min(record.answer.stamp.time.milliseconds, endOfTime)
        if message.hasActivity, let app = try? AppIdentity(message.activity.app) {
            record.link = ReminderLink(
                app: app, appName: message.activity.appName, payload: message.activity.payload)
        }
        return record
    }

    /// A record from elsewhere. A page that leads to the machine of the person who opens it is left out, as in what Handoff offers.
    static func received(_ id: String, _ content: Data) -> ReminderRecord? {
        guard var record = record(id, content) else { return nil }
        if let page = record.link?.payload.description_p.webpageURL, WebPage.fromOtherDevice(page) == nil {
            record.link?.payload.description_p.clearWebpageURL()
        }
        return record
    }

    /// The latest time that the record's answer can have answered: that of the answer, or a time of the text with which the
    /// person was ahead. Anything later would silence the reminder until then. Zones differ by a day at most; of one that repeats
    /// some times may be done ahead, within a year or so.
    private static func endOfHandled(_ record: ReminderRecord) -> UInt64 {
        let day: UInt64 = 86_400_000
        let answered = min(record.answer.stamp.time.milliseconds, endOfTime)
        guard let todo = record.todo(local: .gmt, dayHour: 12) else { return answered + day }
        let due = (todo.due ?? todo.start)?.moment(in: todo.zones, local: .gmt, dayHour: 12)
        let times = todo.moments(local: .gmt, dayHour: 12) + [due].compactMap(\.self)
        let last =
            times.map { time -> UInt64 in
                let milliseconds = time.timeIntervalSince1970 * 1000
                return milliseconds > 0 ? UInt64(min(milliseconds, Double(endOfTime))) : 0
            }.max() ?? 0
        return max(answered, last) + (todo.repeats ? 400 * day : day)
    }

    /// Whether other devices may have it.
    static func isShared(_ record: ReminderRecord) -> Bool {
        record.id.utf8.count <= maximumID && record.text.count <= maximumText
    }

    /// A UID may be empty of what a name needs.
    static func name(_ id: String) -> String { ":" + id }

    static func id(_ name: String) -> String? {
        guard name.hasPrefix(":"), name.utf8.count > 1, name.utf8.count <= maximumID + 1 else { return nil }
        return String(name.dropFirst())
    }

    /// Changes with the record.
    static func stamp(of record: ReminderRecord) -> Data {
        var data = Data()
        for number in [
            record.textStamp.time.rawValue, record.answer.stamp.time.rawValue, record.handled,
            ReminderDigest.of(Array(record.textStamp.device.utf8)),
            ReminderDigest.of(Array(record.answer.stamp.device.utf8)), record.link == nil ? 0 : 1,
        ] {
            withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }
}

/// Shows whether a file is as it was: FNV-1a. There is no gain in making two files alike.
enum ReminderDigest {
    static func of(_ bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
