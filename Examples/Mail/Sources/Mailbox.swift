import Foundation

/// The messages that are here: files `Mailbox/ID.eml` in the app's container, as the mail server gave them to each device.
enum Mailbox {
    /// Headers are looked at up to here.
    private static let maximumBytes = 1 << 20

    struct Message: Equatable {
        var sender = ""
        var subject = ""
        var text = ""
    }

    /// - Parameter identifier: as in `<1@example.com>`.
    /// - Returns: nil for one that is not here.
    static func message(_ identifier: String) -> Message? {
        let name = identifier.trimmingCharacters(in: CharacterSet(charactersIn: "<>"))
        // It came from another device: no path may be made of it.
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."),
            let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"],
            let file = FileHandle(forReadingAtPath: "\(container)/Mailbox/\(name).eml"),
            let data = try? file.read(upToCount: maximumBytes)
        else { return nil }
        return read(String(decoding: data, as: UTF8.self))
    }

    /// The headers that are shown, and what follows the empty line.
    static func read(_ text: String) -> Message {
        var message = Message()
        let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        let end = lines.firstIndex(of: "") ?? lines.endIndex
        for line in lines[..<end] {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            switch parts[0].lowercased() {
            case "from": message.sender = value
            case "subject": message.subject = value
            default: break
            }
        }
        message.text = lines[min(end + 1, lines.endIndex)...].joined(separator: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return message
    }
}
