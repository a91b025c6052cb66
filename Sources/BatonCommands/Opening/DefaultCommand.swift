import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton default`
struct DefaultCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Choose which app opens a scheme, a type or a domain.",
        discussion: """
            baton default                                   lists what was chosen
            baton default scheme todolist com.acme.todo     chooses an app
            baton default domain example.com browser        keeps a site's pages in the browser
            baton default scheme todolist --reset           goes back to the rules
            """)

    enum Kind: String, ExpressibleByArgument, CaseIterable { case scheme, type, domain }

    @Argument(help: "scheme, type or domain.")
    var kind: Kind?

    @Argument(help: "As in todolist, public.png or example.com.")
    var name: String?

    @Argument(help: "A bundle identifier or a name; “browser” for a domain.", completion: DynamicCompletion.apps)
    var app: String?

    @Flag(help: "Forget the choice.")
    var reset = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard kind != nil else { return }
        guard name != nil else { throw ValidationError("Name the scheme, the type or the domain.") }
        guard (app != nil) != reset else { throw ValidationError("Name an app, or give --reset.") }
    }

    func run(in session: CommandSession) async throws {
        guard let kind, let name else { return try await list(session) }
        var request = Baton_Control_V1_SetHandlerDefaultRequest()
        request.kind = kind.rawValue
        request.name = name
        var chosen = ""
        if let app {
            if kind == .domain, app == "browser" {
                request.browser = true
                chosen = "the browser"
            } else {
                request.bundleID = try await AppReference.bundleID(app, session)
                chosen = request.bundleID
            }
        } else {
            request.reset = true
        }
        _ = try await session.call(ControlMethods.setHandlerDefault, request)
        let subject = TerminalText.escape("\(kind.rawValue) \(name)")
        try session.emit(
            json: ["kind": .string(kind.rawValue), "name": .string(name), "choice": .init(nonEmpty: chosen)],
            text: reset ? "The rules decide again for \(subject)." : "\(subject) now opens in \(chosen).")
    }

    private func list(_ session: CommandSession) async throws {
        let defaults = try await session.call(ControlMethods.listHandlerDefaults, .init()).defaults
        let rows = defaults.map { ($0.kind, $0.name, $0.bundleID.isEmpty ? "browser" : $0.bundleID) }
        var table = session.table([.init("KIND"), .init("NAME", isFlexible: true), .init("OPENS IN", isFlexible: true)])
        for row in rows { table.add(row.0, row.1, row.2) }
        try session.emit(
            json: [
                "defaults": .array(
                    rows.map { ["kind": .string($0.0), "name": .string($0.1), "choice": .string($0.2)] })
            ],
            text: rows.isEmpty ? "Nothing was chosen: the rules decide. See “baton default --help”." : table.render())
    }
}
