public import Foundation

/// Hears what the person picked. On the main actor.
@MainActor
@preconcurrency
public protocol UIDocumentPickerDelegate: NSObjectProtocol {
    /// The picked files, or where the exported ones are now.
    func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL])

    /// The person picked nothing. Optional.
    func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController)
}

extension UIDocumentPickerDelegate {
    /// Does nothing.
    public func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {}
}

/// Has the person name files to open, or a folder to export files to.
///
/// At the app's terminal, or by way of the daemon: in a window, or at `baton answer`. A confined app may not read the file that
/// the person names, so the daemon copies it into the app's `Documents/Inbox`, and the picked URL is the copy's; the file itself
/// stays as it is. Folders cannot be picked for it, and files are exported to folders of its own. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uidocumentpickerviewcontroller>
@MainActor
@preconcurrency
open class UIDocumentPickerViewController: UIViewController {
    private enum Purpose {
        case open([UTType])
        case export([URL])
    }

    /// Hears what was picked. Held weakly.
    open weak var delegate: (any UIDocumentPickerDelegate)?

    /// Whether the person may name several files, one after the other.
    open var allowsMultipleSelection = false

    /// Where relative paths begin; nil for the working directory.
    open var directoryURL: URL?

    /// Accepted, without effect: extensions are always shown.
    open var shouldShowFileExtensions = true

    private let purpose: Purpose
    private let asCopy: Bool
    private let runtime = AppRuntime.current
    private var asking: Task<Void, Never>?
    private var isOver = false

    /// Picks files of one of these types.
    /// - Parameter asCopy: gives copies in the app's temporary folder, which the app may move and change.
    public init(forOpeningContentTypes contentTypes: [UTType], asCopy: Bool = false) {
        purpose = .open(contentTypes)
        self.asCopy = asCopy
        super.init()
    }

    /// Picks a folder for these files, and puts them there; nothing is written over.
    /// - Parameter asCopy: copies them; otherwise they are moved.
    public init(forExporting urls: [URL], asCopy: Bool = false) {
        purpose = .export(urls)
        self.asCopy = asCopy
        super.init()
    }

    /// A picker of files of any type.
    public required init() {
        purpose = .open([.item])
        asCopy = false
        super.init()
    }

    override func wasPresented() {
        isOver = false
        // Ends with the person's answer, and is cancelled when the picker is dismissed. Holds the picker until then.
        asking = Task { end(await pick()) }
    }

    override func wasDismissed() {
        asking?.cancel()
        asking = nil
        end([])
    }

    private func end(_ urls: [URL]) {
        guard !isOver else { return }
        isOver = true
        presentingViewController?.dismiss(animated: false)
        if urls.isEmpty {
            delegate?.documentPickerWasCancelled(self)
        } else {
            delegate?.documentPicker(self, didPickDocumentsAt: urls)
        }
    }

    private func pick() async -> [URL] {
        switch purpose {
        case .open(let types): await pickFiles(of: types)
        case .export(let urls): await export(urls)
        }
    }

    private func ask(_ question: PersonQuestion) async -> String? {
        let presenter = SharingContext(runtime: runtime).presenter
        guard case .text(let text)? = try? await presenter.ask(question) else { return nil }
        return text
    }

    private func url(_ path: String) -> URL {
        let home = runtime.environment.sharing.variables()["HOME"]
        if !path.hasPrefix("/"), !path.hasPrefix("~"), let directoryURL {
            return directoryURL.appendingPathComponent(path)
        }
        return PathArgument.url(path, home: home)
    }

    private func pickFiles(of types: [UTType]) async -> [URL] {
        if let tools = confinedTools { return await pickCopies(of: types, tools) }
        var picked: [URL] = []
        var complaint = ""
        while !Task.isCancelled {
            let what = picked.isEmpty ? "Open which file?" : "Open which other file?"
            let title = complaint.isEmpty ? self.title ?? what : complaint
            guard let path = await ask(PersonQuestion(kind: .openFile, title: title)) else { break }
            let file = url(path)
            do {
                picked.append(try Self.check(file, types, asCopy: asCopy))
                complaint = ""
                if !allowsMultipleSelection { break }
            } catch {
                complaint = error.localizedDescription
            }
        }
        return picked
    }

    /// Nil for an app that opens files itself.
    private var confinedTools: SharingTools? {
        let tools = runtime.environment.sharing
        let hasContainer = !(tools.variables()["BATON_CONTAINER"] ?? "").isEmpty
        return tools.isConfined() && hasContainer ? tools : nil
    }

    /// The daemon asks, also at a terminal, which is the app's own: the app could answer there itself.
    private func pickCopies(of types: [UTType], _ tools: SharingTools) async -> [URL] {
        var picked: [URL] = []
        while !Task.isCancelled {
            let title = self.title ?? (picked.isEmpty ? "Open which file?" : "Open which other file?")
            let question = PersonQuestion(kind: .openFile, title: title, inboxTypes: types.map(\.identifier))
            guard case .text(let path)? = try? await tools.daemon(runtime).ask(question) else { break }
            guard let file = try? Self.received(URL(fileURLWithPath: path), asCopy: asCopy) else { break }
            picked.append(file)
            if !allowsMultipleSelection { break }
        }
        return picked
    }

    /// Items of the Inbox cannot be changed, but removed.
    private static func received(_ file: URL, asCopy: Bool) throws -> URL {
        guard asCopy else { return file }
        let copy = try TemporaryFiles.copy(file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
        try FileManager.default.removeItem(at: file)
        return copy
    }

    private static func check(_ file: URL, _ types: [UTType], asCopy: Bool) throws -> URL {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory),
            FileManager.default.isReadableFile(atPath: file.path)
        else { throw SharingError.failed("“\(file.path)” cannot be read. Name another file.") }
        let type = isDirectory.boolValue ? UTType.folder : UTType(filenameExtension: file.pathExtension) ?? .data
        guard types.contains(where: type.conforms) else {
            let wanted = types.map { $0.localizedDescription ?? $0.identifier }.joined(separator: ", ")
            throw SharingError.failed(
                "“\(file.lastPathComponent)” is not of these types: \(wanted). Name another file.")
        }
        return asCopy ? try TemporaryFiles.copy(file) : file
    }

    private func export(_ urls: [URL]) async -> [URL] {
        let question = PersonQuestion(kind: .directory, title: title ?? "Export to which folder?")
        guard !urls.isEmpty, let path = await ask(question) else { return [] }
        let folder = url(path)
        var exported: [URL] = []
        for file in urls {
            let item = SharedItem(content: .file(file), type: .item, name: file.lastPathComponent)
            guard let saved = try? SaveActivity.save(item, in: folder) else { continue }
            exported.append(saved)
            if !asCopy { try? FileManager.default.removeItem(at: file) }
        }
        return exported
    }
}
