import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// A reminder that was deleted, and the command that makes it anew.
enum ReminderAgain {
    static func text(_ reminder: Baton_Control_V1_Reminder, zone: TimeZone) -> String {
        let subject = reminder.subject.isEmpty ? "a reminder" : "“\(TerminalText.escape(reminder.subject))”"
        let time = reminder.hasTime ? " of \(ReminderReport.time(reminder.time, zone))" : ""
        var lines = ["Deleted \(subject)\(time), here and on your other devices."]
        if let command = command(reminder, zone: zone) {
            let loss = reminder.hasLink ? ", without what it led back to" : ""
            lines.append("To have it again\(loss): " + TerminalText.escape(command))
        }
        return lines.joined(separator: "\n")
    }

    /// Nil for one without a text.
    static func command(_ reminder: Baton_Control_V1_Reminder, zone: TimeZone) -> String? {
        guard !reminder.subject.isEmpty else { return nil }
        var words = ["baton", "reminders", "add"]
        let event = reminder.triggers.lazy.compactMap(ReminderReport.parts).first
        if reminder.hasTime {
            words += ["--when", quoted(ReminderReport.time(reminder.time, zone))]
            if !reminder.recurrence.isEmpty { words += ["--every", quoted(reminder.recurrence)] }
        } else if let event {
            words += ["--when", quoted("\(event.kind):\(event.name)")]
        }
        // A text that begins with a hyphen is no option.
        if reminder.subject.hasPrefix("-") { words.append("--") }
        return (words + [quoted(reminder.subject)]).joined(separator: " ")
    }

    /// As a shell reads one word.
    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
