import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton context`
struct ContextCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "context", abstract: "Show what Baton knows of your surroundings, and from where.",
        discussion: """
            Headphones, cars, the lock, sleep, the network and places, each where there is something to follow. None of it leaves \
            this device. GeoClue and gpsd are off until “baton settings set places.location on” and “places.gpsd on”.
            """)

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let context = try await session.call(ContextMethods.getContext, .init())
        try session.emit(
            json: [
                "place": .init(nonEmpty: context.place),
                "inputs": .array(
                    context.inputs.map {
                        [
                            "name": .string($0.name), "state": .string(Self.name($0.state)),
                            "detail": .string($0.detail),
                        ]
                    }),
                "events": .array(
                    context.events.map { ["text": .string($0.text), "time_ms": .init($0.time)] as JSONValue }),
            ], text: text(context, session))
    }

    private static func name(_ state: Baton_Control_V1_ContextInput.State) -> String {
        switch state {
        case .followed: "followed"
        case .absent: "absent"
        case .off: "off"
        case .failed: "failed"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    private func text(_ context: Baton_Control_V1_GetContextResponse, _ session: CommandSession) -> String {
        var table = session.table([.init("INPUT"), .init("STATE"), .init("NOW", isFlexible: true)])
        for input in context.inputs { table.add(input.name, Self.name(input.state), input.detail) }
        var lines = [table.render()]
        if !context.place.isEmpty { lines.append("You are at \(TerminalText.escape(context.place)).") }
        lines += context.events.map { event in
            let age = TimeFormat.age(milliseconds: event.time, now: session.context.clock.now)
            return session.paint(.faint, "\(age)  ") + TerminalText.escape(event.text)
        }
        return lines.joined(separator: "\n")
    }
}
