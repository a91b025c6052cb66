import BatonCore
import BatonWire
import Foundation

/// Folders as the command line shows them.
enum FolderReport {
    /// A folder's name, with “-” in place of what such names cannot have.
    static func name(of path: String) -> String {
        let last = path.split(separator: "/").last ?? ""
        let clean = last.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" ? $0 : "-" }
        return String(String(clean.drop { $0 == "-" || $0 == "_" }).prefix(60))
    }

    /// The name of a folder as a person gives it: also as the directory is called from which the name was made.
    static func name(given: String) -> String {
        let clean = name(of: given)
        return clean.isEmpty || given.contains("/") ? given : clean
    }

    static func json(_ folder: Baton_Control_V1_Folder) -> JSONValue {
        [
            "name": .string(folder.name), "path": .init(nonEmpty: folder.path), "state": .string(state(folder)),
            "container": folder.hasContainer ? DocumentReport.json(folder.container) : .null,
            "read_only": .boolean(folder.readOnly),
            "changes": .array(
                folder.changes.map { ["path": .string($0.path), "change": .string(word(for: $0.kind))] }),
            "changed": .init(folder.changed),
            "transfer": [
                "down_bytes_per_second": .init(folder.transfer.down),
                "up_bytes_per_second": .init(folder.transfer.up),
                "down_bytes_left": .init(folder.transfer.downLeft),
                "up_bytes_left": .init(folder.transfer.upLeft),
                "seconds_left": .init(folder.transfer.secondsLeft),
            ],
        ]
    }

    static func text(
        _ folders: [Baton_Control_V1_Folder], isMember: Bool = true, _ session: CommandSession
    ) -> String {
        guard !folders.isEmpty else { return "There is no folder yet. “baton folder add DIR” makes one." }
        var table = session.table([
            .init("FOLDER"), .init("ITEMS"), .init("SIZE"), .init("STATE", isFlexible: true),
            .init("PLACE", isFlexible: true),
        ])
        for folder in folders {
            let container = folder.container
            table.add(
                folder.name, folder.hasContainer ? "\(container.items)" : "",
                folder.hasContainer ? ByteSize.text(Int(clamping: container.bytes)) : "",
                shownState(folder, isMember),
                TerminalText.escape(folder.path))
            if folder.state == .here { table.add(notes: DocumentReport.sentences(container)) }
        }
        return table.render()
    }

    /// - Parameter isMember: whether this device is one of an account.
    static func status(_ folder: Baton_Control_V1_Folder, isMember: Bool = true) -> String {
        var lines = ["\(folder.name): \(shownState(folder, isMember))"]
        if !folder.path.isEmpty { lines.append("  in \(TerminalText.escape(folder.path))") }
        if folder.hasContainer {
            let container = folder.container
            let items = container.items == 1 ? "1 item" : "\(container.items) items"
            lines.append("  \(items), \(ByteSize.text(Int(clamping: container.bytes)))")
            lines += transfer(folder.transfer)
            lines += DocumentReport.sentences(container).map { "  waits: \(TerminalText.escape($0))" }
        }
        if folder.readOnly { lines.append("  only receives: changes made in it here are not sent") }
        for change in folder.changes {
            lines.append("  \(word(for: change.kind)) here: \(TerminalText.escape(change.path))")
        }
        if folder.changed > folder.changes.count {
            lines.append("  and \(Int(folder.changed) - folder.changes.count) more changes here")
        }
        if folder.changed > 0 { lines.append("  “baton folder revert \(folder.name)” undoes what was done here.") }
        return lines.joined(separator: "\n")
    }

    /// How many items of a folder other devices do not have as they are here.
    static func unsent(_ folder: Baton_Control_V1_Folder) -> UInt64 {
        folder.readOnly ? folder.changed : folder.container.toUpload
    }

    /// The end of a sentence: what other devices have of a folder that was left.
    static func remains(_ folder: Baton_Control_V1_Folder?, unsent: UInt64) -> String {
        guard let folder, folder.hasContainer else { return "other devices keep what they have of it." }
        guard unsent > 0 else { return "other devices keep all of it." }
        if folder.readOnly {
            let changes =
                unsent == 1 ? "one change that was made here is" : "\(unsent) changes that were made here are"
            return "\(changes) on this device only."
        }
        let items = unsent == 1 ? "one item was" : "\(unsent) items were"
        return "\(items) not sent, so other devices have an older state or none. “baton folder join \(folder.name) "
            + "DIR” sends what is here."
    }

    private static func transfer(_ transfer: Baton_Control_V1_FolderTransfer) -> [String] {
        func line(_ word: String, _ left: UInt64, _ rate: UInt64) -> String? {
            guard left > 0 || rate > 0 else { return nil }
            let (left, rate) = (ByteSize.text(Int(clamping: left)), ByteSize.text(Int(clamping: rate)))
            return "  \(word): \(left) left, \(rate) a second"
        }
        var lines = [
            line("comes", transfer.downLeft, transfer.down), line("goes", transfer.upLeft, transfer.up),
        ].compactMap { $0 }
        if transfer.secondsLeft > 0 { lines.append("  done in about \(time(transfer.secondsLeft))") }
        return lines
    }

    static func time(_ seconds: UInt64) -> String {
        switch seconds {
        case 1: "a second"
        case ..<90: "\(seconds) seconds"
        case ..<5400: "\((seconds + 30) / 60) minutes"
        case ..<172_800: "\((seconds + 1800) / 3600) hours"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }

    private static func word(for kind: Baton_Control_V1_FolderChange.Kind) -> String {
        switch kind {
        case .created: "new"
        case .edited: "changed"
        case .attributes: "attributes changed"
        case .moved: "moved"
        case .deleted: "deleted"
        case .unspecified, .UNRECOGNIZED: "changed"
        }
    }

    private static func shownState(_ folder: Baton_Control_V1_Folder, _ isMember: Bool) -> String {
        switch folder.state {
        case .here: DocumentReport.state(folder.container)
        // It is not its disk that is missing.
        case .away where !isMember:
            "not kept equal, since this device is in no account: “baton pair” joins one; “baton folder leave \(folder.name)” ends it"
        case .away: "not there: mount its disk, or leave it with “baton folder leave \(folder.name)”"
        case .elsewhere: "in the account, not on this device: “baton folder join \(folder.name) DIR”"
        case .unspecified, .UNRECOGNIZED: ""
        }
    }

    private static func state(_ folder: Baton_Control_V1_Folder) -> String {
        switch folder.state {
        case .here: "here"
        case .away: "away"
        case .elsewhere: "elsewhere"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}
