import Foundation

/// Where the person has documents.
extension NSDocumentController {
    /// - Returns: nil if the person wants none.
    func askForDocument() async throws -> URL? {
        let runtime = AppRuntime.current
        let tools = runtime.environment.sharing
        let (home, container) = (tools.variables()["HOME"], tools.variables()["BATON_CONTAINER"] ?? "")
        let isCopied = tools.isConfined() && !container.isEmpty
        // As in a document picker: the daemon asks, also at a terminal, and copies the file.
        let presenter = isCopied ? tools.daemon(runtime) : SharingContext(runtime: runtime).presenter
        let question = PersonQuestion(
            kind: .openFile, title: "Open which document?", inboxTypes: isCopied ? openableTypes : nil)
        guard case .text(let path)? = try await presenter.ask(question) else { return nil }
        return try await documentURL(given: PathArgument.url(path, home: home), container: container)
    }

    private var openableTypes: [String] {
        let types = DocumentTypes.main.entries.flatMap(\.contentTypes) + classes.keys.sorted()
        return types.isEmpty ? [UTType.item.identifier] : Array(types.prefix(50))
    }

    /// Where to open a file that the app was given: of one in its Inbox a copy in its `Documents`, which can be saved.
    func documentURL(given url: URL, container: String?) async throws -> URL {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<URL, any Error>) in
            Self.reading.async {
                continuation.resume(with: Result { try InboxDocument.own(url, container: container) })
            }
        }
    }

    /// Where a document is saved unless the person says otherwise: a confined app writes in its container alone.
    func folder(for document: NSDocument) -> URL {
        let tools = AppRuntime.current.environment.sharing
        let variables = tools.variables()
        if tools.isConfined(), let container = variables["BATON_CONTAINER"], !container.isEmpty {
            return URL(fileURLWithPath: container).appendingPathComponent("Documents")
        }
        if let folder = document.fileURL?.deletingLastPathComponent() { return folder }
        return URL(fileURLWithPath: currentDirectory ?? variables["HOME"] ?? NSHomeDirectory())
    }
}
