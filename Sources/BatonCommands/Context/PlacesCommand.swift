import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton places`
struct PlacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "List, name or forget the places where this device stays.",
        discussion: """
            A place is where the device was for ten minutes, by its network or its position. Home is where most nights are, work where \
            most weekdays are. They are kept on this device only.
            """,
        subcommands: [PlacesListCommand.self, PlacesNameCommand.self, PlacesForgetCommand.self],
        defaultSubcommand: PlacesListCommand.self)
}

/// `baton places list`
struct PlacesListCommand: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the places.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let places = try await session.call(ContextMethods.listStayPlaces, .init()).places
        try session.emit(json: ["places": .array(places.map(Self.json))], text: text(places, session))
    }

    private static func json(_ place: Baton_Control_V1_StayPlace) -> JSONValue {
        [
            "id": .init(place.placeID), "name": .init(nonEmpty: place.name), "learned": .init(nonEmpty: place.learned),
            "latitude": place.hasLatitude ? .real(place.latitude) : .null,
            "longitude": place.hasLongitude ? .real(place.longitude) : .null,
            "networks": .array(place.networks.map { .string($0) }), "stays": .init(UInt64(place.stays)),
            "nights": .init(UInt64(place.nights)), "workdays": .init(UInt64(place.workdays)),
            "last_seen_ms": .init(place.lastSeen), "here": .boolean(place.here),
        ]
    }

    private func text(_ places: [Baton_Control_V1_StayPlace], _ session: CommandSession) -> String {
        guard !places.isEmpty else {
            return "No place is known yet. Baton finds those where this device stays; “baton context” says from what."
        }
        var table = session.table([
            .init("ID"), .init("NAME", isFlexible: true), .init("NETWORKS", isFlexible: true), .init("POSITION"),
            .init("STAYS"), .init("LAST"),
        ])
        for place in places {
            let names = [place.name, place.learned].filter { !$0.isEmpty }.joined(separator: ", ")
            let position =
                place.hasLatitude ? String(format: "%.4f, %.4f", place.latitude, place.longitude) : ""
            table.add(
                "\(place.placeID)", names, place.networks.joined(separator: ", "), position, "\(place.stays)",
                place.here ? "here" : TimeFormat.age(milliseconds: place.lastSeen, now: session.context.clock.now))
        }
        return table.render()
    }
}

/// `baton places name`
struct PlacesNameCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "name", abstract: "Name a place; “” removes the name.")

    @Argument(help: "The place's number in “baton places”.")
    var id: UInt64

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        _ = try await session.call(
            ContextMethods.nameStayPlace,
            .with {
                $0.placeID = id
                $0.name = name
            })
        try session.emit(
            json: ["id": .init(id), "name": .init(nonEmpty: name)],
            text: name.isEmpty ? "Place \(id) has no name now." : "Place \(id) is \(TerminalText.escape(name)).")
    }
}

/// `baton places forget`
struct PlacesForgetCommand: Verb {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Forget a place.")

    @Argument(help: "The place's number in “baton places”.")
    var id: UInt64

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        _ = try await session.call(ContextMethods.forgetStayPlaces, .with { $0.placeID = id })
        try session.emit(json: ["id": .init(id)], text: "Place \(id) is forgotten.")
    }
}
