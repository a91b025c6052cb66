import Foundation

/// Puts the items on the desktop's clipboard: texts and URLs, or one picture, or files.
final class CopyActivity: SystemActivity {
    override var activityType: ActivityType? { .copyToPasteboard }
    override var activityTitle: String? { "Copy" }
    override var icon: OptionIcon { .named("edit-copy") }

    override func canPerform(_ items: [SharedItem]) -> Bool { program != nil && Self.clip(items) != nil }

    override func perform(_ items: [SharedItem], subject: String) async throws -> Bool {
        guard let program, let clip = Self.clip(items) else { return false }
        try await context.tools.run(program.path, program.arguments(clip.type), try clip.data())
        return true
    }

    /// For the display that there is.
    private var program: (path: String, arguments: (String) -> [String])? {
        let variables = context.tools.variables()
        if variables["WAYLAND_DISPLAY"]?.isEmpty == false, let path = context.tools.find("wl-copy") {
            return (path, { ["--type", $0] })
        }
        if variables["DISPLAY"]?.isEmpty == false, let path = context.tools.find("xclip") {
            return (path, { ["-selection", "clipboard", "-in", "-target", $0 == "text/plain" ? "UTF8_STRING" : $0] })
        }
        return nil
    }

    static func clip(_ items: [SharedItem]) -> (type: String, data: () throws -> Data)? {
        let texts = items.compactMap(\.text)
        if !items.isEmpty, texts.count == items.count {
            return ("text/plain", { Data(texts.joined(separator: "\n").utf8) })
        }
        let files = items.compactMap(\.fileURL)
        if !items.isEmpty, files.count == items.count {
            return ("text/uri-list", { Data(files.map { $0.absoluteString + "\r\n" }.joined().utf8) })
        }
        guard items.count == 1, case .data = items[0].content, let type = items[0].type.preferredMIMEType else {
            return nil
        }
        return (type, { try items[0].data() })
    }
}

/// Prints texts, pictures and PDF, where there is a printing system.
final class PrintActivity: SystemActivity {
    override var activityType: ActivityType? { .print }
    override var activityTitle: String? { "Print" }
    override var icon: OptionIcon { .named("document-print") }

    override func canPerform(_ items: [SharedItem]) -> Bool {
        guard !items.isEmpty, context.tools.find("lp") != nil else { return false }
        return items.allSatisfy { item in
            if case .url = item.content { return false }
            return [UTType.text, .image, .pdf].contains { item.type.conforms(to: $0) }
        }
    }

    override func perform(_ items: [SharedItem], subject: String) async throws -> Bool {
        guard let program = context.tools.find("lp") else { return false }
        for item in items {
            // From its input: the printing system has its own copy when the program ends.
            try await context.tools.run(program, ["-t", ShownText.safe(item.name ?? "Baton")], try item.data())
        }
        return true
    }
}

/// Saves copies in a folder that the person names. Nothing is written over.
final class SaveActivity: SystemActivity {
    override var activityType: ActivityType? { .saveToFolder }
    override var activityTitle: String? { "Save to a Folder" }
    override var icon: OptionIcon { .named("document-save") }

    override func canPerform(_ items: [SharedItem]) -> Bool {
        // A URL alone is nothing to keep.
        !items.isEmpty && items.allSatisfy { if case .url = $0.content { false } else { true } }
    }

    override func perform(_ items: [SharedItem], subject: String) async throws -> Bool {
        let question = PersonQuestion(kind: .directory, title: "Save in which folder?", suggestion: suggestion)
        guard case .text(let path)? = try await context.presenter.ask(question) else { return false }
        let folder = PathArgument.url(path, home: context.tools.variables()["HOME"])
        for item in items {
            do { try Self.save(item, in: folder) } catch let error as SharingError { throw error } catch {
                throw SharingError.failed("“\(folder.path)” does not take it: \(error.localizedDescription)")
            }
        }
        return true
    }

    private var suggestion: String {
        let variables = context.tools.variables()
        if context.tools.isConfined(), let container = variables["BATON_CONTAINER"] { return container + "/Documents" }
        return (variables["HOME"] ?? NSHomeDirectory()) + "/Downloads"
    }

    /// - Returns: where it is.
    @discardableResult
    nonisolated static func save(_ item: SharedItem, in folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = TemporaryFiles.fileName(item.name, type: item.type)
        for number in 0..<10_000 {
            let url = folder.appendingPathComponent(number == 0 ? name : numbered(name, number))
            do {
                if let file = item.fileURL {
                    try FileManager.default.copyItem(at: file, to: url)
                } else {
                    try item.data().write(to: url, options: .withoutOverwriting)
                }
                return url
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                continue
            }
        }
        throw SharingError.failed("“\(folder.path)” has too many files called “\(name)”.")
    }

    /// - Returns: a name that nothing in the folder has, and that is free by `isFree` too.
    nonisolated static func freePlace(for name: String, in folder: URL, isFree: (URL) -> Bool) throws -> URL {
        for number in 0..<10_000 {
            let url = folder.appendingPathComponent(number == 0 ? name : numbered(name, number))
            if (try? FileManager.default.attributesOfItem(atPath: url.path)) == nil, isFree(url) { return url }
        }
        throw SharingError.failed("“\(folder.path)” has too many files called “\(name)”.")
    }

    private nonisolated static func numbered(_ name: String, _ number: Int) -> String {
        let suffix = (name as NSString).pathExtension
        let stem = (name as NSString).deletingPathExtension
        return suffix.isEmpty ? "\(name)-\(number)" : "\(stem)-\(number).\(suffix)"
    }
}

/// A path as a person types it.
enum PathArgument {
    static func url(_ text: String, home: String?) -> URL {
        if text == "~" || text.hasPrefix("~/"), let home { return URL(fileURLWithPath: home + text.dropFirst()) }
        return URL(fileURLWithPath: text)
    }
}
