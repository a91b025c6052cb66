import Foundation

/// Documents as programs write them, and in the folder `hostile` some that a reader must survive: `Tests/Support/search_documents.py` makes
/// them.
package struct SampleDocuments: Sendable {
    private let directory: TemporaryDirectory

    package init() async throws {
        directory = try TemporaryDirectory()
        // The distribution's own Python, which has the libraries.
        let program = try ChildProcess(
            ["/usr/bin/python3", Products.package + "/Tests/Support/search_documents.py", directory.file("made")])
        let status = try await within(.seconds(120), "the documents") { try await program.status() }
        guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    package func path(_ name: String) -> String { directory.file("made/\(name)") }

    package func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}
