import BatonConcurrency
import BatonCore
import CGIO
import Foundation

/// The person wants to see more than the desktop shows: a terminal with all results.
enum SearchWindow {
    private static let program = "/usr/lib/baton/search-window"

    /// - Throws: `not_found` (`no_terminal`) where there is none, or where the package's program is missing.
    static func open(_ words: [String]) async throws {
        let command = ([program] + words).map(quoted).joined(separator: " ")
        // GIO starts programs, which blocks.
        let problem = await BlockingQueue("development.baton.search-window").run { launch(command) }
        guard let problem else { return }
        throw BatonError(
            .notFound, reason: "no_terminal",
            "The desktop cannot open a terminal. Use “baton search”. It says: \(problem)")
    }

    /// As a shell reads it; a per cent sign is the beginning of a code in a command of a desktop entry.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#).replacing("%", with: "%%") + "'"
    }

    private static func launch(_ command: String) -> String? {
        guard FileManager.default.isExecutableFile(atPath: program) else { return "“\(program)” is missing." }
        var failure: UnsafeMutablePointer<GError>?
        let needsTerminal: Int32 = 1
        guard let app = g_app_info_create_from_commandline(command, "Baton", needsTerminal, &failure) else {
            return reason(failure)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(app)) }
        return g_app_info_launch(app, nil, nil, &failure) != 0 ? nil : reason(failure)
    }

    private static func reason(_ failure: UnsafeMutablePointer<GError>?) -> String {
        defer { failure.map { g_error_free($0) } }
        return failure.flatMap { $0.pointee.message.map { String(cString: $0) } } ?? "no reason was given"
    }
}
