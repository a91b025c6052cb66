import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton cards access`, and `baton people access`
struct PeopleAccessCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "access", abstract: "List the apps that asked for your contacts, or decide about one.",
        discussion: "“on” allows it, “off” refuses it, “ask” has you asked again when the app wants it.")

    enum Decision: String, ExpressibleByArgument, CaseIterable {
        case on, off, ask

        var access: Baton_Control_V1_SetContactAccessRequest.Access {
            switch self {
            case .on: .on
            case .off: .off
            case .ask: .ask
            }
        }
    }

    @Argument(help: "An app's name or bundle identifier.", completion: DynamicCompletion.apps)
    var app: String?

    @Argument(help: "“on”, “off” or “ask”.")
    var decision: Decision?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (app == nil) == (decision == nil) else {
            throw ValidationError("Name an app, and say “on”, “off” or “ask”.")
        }
    }

    func run(in session: CommandSession) async throws {
        guard let app, let decision else { return try await list(session) }
        let answer = try await session.call(
            AddressBookMethods.setContactAccess,
            .with {
                $0.app = app
                $0.access = decision.access
            })
        let name = TerminalText.escape(answer.appName.isEmpty ? answer.bundleID : answer.appName)
        let text =
            switch decision {
            case .on: "\(name) may read and change your contacts."
            case .off: "\(name) may not read your contacts."
            case .ask: "You are asked again when \(name) wants your contacts."
            }
        try session.emit(
            json: [
                "bundle_id": .string(answer.bundleID), "app_name": .init(nonEmpty: answer.appName),
                "access": .string(decision.rawValue),
            ], text: text)
    }

    private func list(_ session: CommandSession) async throws {
        let apps = try await session.call(AddressBookMethods.listContactAccess, .init()).apps
        var table = session.table([.init("APP", isFlexible: true), .init("CONTACTS"), .init("TEAM")])
        for app in apps {
            table.add(app.appName.isEmpty ? app.bundleID : app.appName, app.allowed ? "on" : "off", app.teamID)
        }
        try session.emit(
            json: [
                "apps": .array(
                    apps.map {
                        [
                            "bundle_id": .string($0.bundleID), "team_id": .string($0.teamID),
                            "app_name": .init(nonEmpty: $0.appName), "access": .string($0.allowed ? "on" : "off"),
                        ]
                    })
            ], text: apps.isEmpty ? "No app has asked for your contacts." : table.render())
    }
}
