import Foundation
import SessionBus

/// Calls of a desktop's search as messages of the bus, and their answers. Everything that comes is untrusted: each message's
/// signature is checked before it is read.
enum DesktopSearchMessages {
    private typealias Names = DesktopSearchNames

    enum Incoming {
        case request(DesktopSearchCall.Request)
        /// It has an answer that needs no question to others.
        case immediate((inout BusWriter) -> Void)
    }

    /// - Returns: nil for what the object does not understand.
    static func read(_ message: BusMessage) -> Incoming? {
        if message.isCall("org.freedesktop.DBus.Introspectable", "Introspect", types: "") {
            return .immediate { $0.string(description) }
        }
        return readShell(message) ?? readRunner(message)
    }

    private static func readShell(_ message: BusMessage) -> Incoming? {
        if message.isCall(Names.shell, "GetInitialResultSet", types: "as") {
            return strings(message).map { .request(.find($0)) }
        }
        if message.isCall(Names.shell, "GetSubsearchResultSet", types: "asas") {
            // The earlier items are found faster than the search is narrowed.
            guard strings(message, limit: 0) != nil else { return nil }
            return strings(message).map { .request(.find($0)) }
        }
        if message.isCall(Names.shell, "GetResultMetas", types: "as") {
            return strings(message).map { .request(.describe($0)) }
        }
        if message.isCall(Names.shell, "ActivateResult", types: "sasu") {
            return string(message).map { .request(.activate($0)) }
        }
        if message.isCall(Names.shell, "LaunchSearch", types: "asu") {
            return strings(message).map { .request(.show($0)) }
        }
        return nil
    }

    private static func readRunner(_ message: BusMessage) -> Incoming? {
        if message.isCall(Names.runner, "Match", types: "s") { return string(message).map { .request(.match($0)) } }
        if message.isCall(Names.runner, "Run", types: "ss") { return string(message).map { .request(.activate($0)) } }
        if message.isCall(Names.runner, "Actions", types: "") { return .immediate { $0.array(of: "(sss)") { _ in } } }
        if message.isCall(Names.runner, "Teardown", types: "") { return .immediate { _ in } }
        return nil
    }

    // MARK: Answers

    /// - Parameter call: says in which form the answer is.
    static func write(_ answer: DesktopSearchAnswer, to call: BusMessage, _ writer: inout BusWriter) {
        switch answer {
        case .identifiers(let identifiers): writer.strings(Array(identifiers.prefix(Names.maximumResults)))
        case .results(let results) where call.isCall(Names.runner):
            writer.array(of: "(sssida{sv})") { writer in
                for result in results.prefix(Names.maximumResults) { match(result, &writer) }
            }
        case .results(let results):
            writer.array(of: "a{sv}") { writer in
                for result in results.prefix(Names.maximumResults) { meta(result, &writer) }
            }
        case .done: break
        }
    }

    private static func meta(_ result: DesktopSearchResult, _ writer: inout BusWriter) {
        writer.array(of: "{sv}") { writer in
            writer.entry("id", result.id)
            writer.entry("name", result.name)
            writer.entry("description", result.description)
            // As GIO writes pictures down (g_icon_serialize).
            writer.entry("icon", "(sv)") { writer in
                writer.structure("sv") { writer in
                    switch result.icon {
                    case .named(let name):
                        writer.string("themed")
                        writer.variant("as") { $0.strings([name]) }
                    case .file(let path):
                        writer.string("file")
                        writer.variant("s") { $0.string(URL(fileURLWithPath: path).absoluteString) }
                    }
                }
            }
            if !result.clipboardText.isEmpty { writer.entry("clipboardText", result.clipboardText) }
        }
    }

    /// KRunner's kinds of matches: one that is possible, and one that is exact.
    private static let (possible, exact): (Int32, Int32) = (30, 100)

    private static func match(_ result: DesktopSearchResult, _ writer: inout BusWriter) {
        writer.structure("sssida{sv}") { writer in
            writer.string(result.id)
            writer.string(result.name)
            switch result.icon {
            case .named(let icon), .file(let icon): writer.string(icon)
            }
            writer.integer(result.relevance >= 1 ? exact : possible)
            writer.real(result.relevance)
            writer.array(of: "{sv}") { $0.entry("subtext", result.description) }
        }
    }

    // MARK: Reading

    private static func string(_ message: BusMessage) -> String? {
        guard let string = message.text(), string.utf8.count <= Names.maximumLength else { return nil }
        return string
    }

    /// - Parameter limit: further texts are passed over, as are those beyond ``DesktopSearchNames/maximumLength``.
    private static func strings(_ message: BusMessage, limit: Int = Names.maximumWords) -> [String]? {
        message.texts(limit: limit, maximumBytes: Names.maximumLength)
    }

    private static let description = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
         <interface name="org.gnome.Shell.SearchProvider2">
          <method name="GetInitialResultSet">
           <arg type="as" name="terms" direction="in"/><arg type="as" name="results" direction="out"/>
          </method>
          <method name="GetSubsearchResultSet">
           <arg type="as" name="previous_results" direction="in"/><arg type="as" name="terms" direction="in"/>
           <arg type="as" name="results" direction="out"/>
          </method>
          <method name="GetResultMetas">
           <arg type="as" name="identifiers" direction="in"/><arg type="aa{sv}" name="metas" direction="out"/>
          </method>
          <method name="ActivateResult">
           <arg type="s" name="identifier" direction="in"/><arg type="as" name="terms" direction="in"/>
           <arg type="u" name="timestamp" direction="in"/>
          </method>
          <method name="LaunchSearch">
           <arg type="as" name="terms" direction="in"/><arg type="u" name="timestamp" direction="in"/>
          </method>
         </interface>
         <interface name="org.kde.krunner1">
          <method name="Actions"><arg type="a(sss)" name="matches" direction="out"/></method>
          <method name="Run">
           <arg type="s" name="matchId" direction="in"/><arg type="s" name="actionId" direction="in"/>
          </method>
          <method name="Match">
           <arg type="s" name="query" direction="in"/><arg type="a(sssida{sv})" name="matches" direction="out"/>
          </method>
          <method name="Teardown"/>
         </interface>
        </node>
        """
}
