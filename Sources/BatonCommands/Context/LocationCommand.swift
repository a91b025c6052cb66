import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton location`
struct LocationCommand: Verb {
    enum Decision: String, CaseIterable, ExpressibleByArgument, Sendable {
        case on, off, ask
    }

    static let configuration = CommandConfiguration(
        commandName: "location", abstract: "List or change which apps may know where this device is.",
        discussion: "An app asks once. “baton location APP ask” lets it ask again.")

    @Argument(help: "The app: its bundle identifier or name.", completion: DynamicCompletion.apps)
    var app: String?

    @Argument(help: "Whether it may know: on, off, or ask.")
    var decision: Decision?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (app == nil) == (decision == nil) else {
            throw ValidationError("Say what is decided: “baton location APP on”, “off” or “ask”.")
        }
    }

    func run(in session: CommandSession) async throws {
        if let app, let decision {
            let bundleID = try await AppReference.bundleID(app, session)
            _ = try await session.call(
                LocationAccessMethods.setLocationAccess,
                .with {
                    $0.bundleID = bundleID
                    if decision != .ask { $0.allowed = decision == .on }
                })
        }
        let answer = try await session.call(LocationAccessMethods.listLocationAccess, .init())
        var table = session.table([.init("APP", isFlexible: true), .init("TEAM"), .init("LOCATION")])
        for app in answer.apps { table.add(app.bundleID, app.teamID, app.allowed ? "on" : "off") }
        let json: JSONValue = [
            "apps": .array(
                answer.apps.map { app in
                    [
                        "bundle_id": .string(app.bundleID), "team_id": .init(nonEmpty: app.teamID),
                        "allowed": .boolean(app.allowed),
                    ]
                })
        ]
        try session.emit(
            json: json, text: answer.apps.isEmpty ? "No app has asked where this device is." : table.render())
    }
}
