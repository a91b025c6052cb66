import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// How much apps may donate.
package struct InteractionLimits: Sendable {
    /// The interactions of one app; the oldest go.
    package var count = 2000
    package var bytes = 16 << 20
    /// The persons of one app's interactions, each that differs from the others once, and each in every interaction; the oldest
    /// interactions go.
    package var distinctPersons = 5000
    package var mentions = 20_000
    /// One interaction without its pictures.
    package var interactionBytes = 64 << 10
    package var pictureBytes = 256 << 10
    package var identifierBytes = 1024
    /// Interactions that are deleted by identifier in one call.
    package var deletions = 2000
    /// Shortcuts of one list of an app.
    package var shortcuts = 100
    package var shortcutBytes = 256 << 10
    /// Choices of ways that are remembered; the oldest go.
    package var defaults = 10_000
    package var textBytes = 8 << 10

    /// Persons of one interaction that are looked at.
    static let persons = 256

    package init() {}
}

/// The rules for donations. Values alone.
enum InteractionRules {
    /// - Throws: `invalid_argument`, `resource_exhausted` for what is too large.
    static func check(_ interaction: Baton_Value_V1_Interaction, _ limits: InteractionLimits) throws(BatonError) {
        guard (1...limits.identifierBytes).contains(interaction.identifier.utf8.count),
            interaction.groupIdentifier.utf8.count <= limits.identifierBytes
        else {
            throw invalid(
                "invalid_identifier",
                "An interaction's identifier has 1 to \(limits.identifierBytes) bytes. Choose another one.")
        }
        guard interaction.start.isFinite, interaction.duration.isFinite, interaction.duration >= 0 else {
            throw invalid("invalid_time", "An interaction's time is a date and a length that is not negative.")
        }
        try checkClass(interaction.intent.className)
        var pictures = 0
        try measure(interaction.intent.parameters, &pictures, limits)
        if interaction.hasResponse {
            try checkClass(interaction.response.className)
            try measure(interaction.response.parameters, &pictures, limits)
            if interaction.response.hasActivity {
                _ = try ActivityDescription(interaction.response.activity.description_p)
            }
        }
        guard size(interaction) - pictures <= limits.interactionBytes else {
            throw BatonError(
                .resourceExhausted, reason: "interaction_too_large",
                "An interaction has at most \(ByteSize.text(limits.interactionBytes)) without its pictures. Donate less of the content."
            )
        }
        guard size(interaction) <= limits.bytes else {
            throw BatonError(
                .resourceExhausted, reason: "interaction_too_large",
                "An interaction has at most \(ByteSize.text(limits.bytes)) with its pictures. Give fewer of them.")
        }
    }

    private static func checkClass(_ name: String) throws(BatonError) {
        guard name.hasPrefix("IN"), name.utf8.count <= 100, name.utf8.allSatisfy({ isNameByte($0) }) else {
            throw invalid("invalid_class", "An intent's class is one of Apple's, as INSendMessageIntent.")
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Adds the bytes of the pictures among parameters.
    private static func measure(
        _ parameters: Baton_Value_V1_PropertyDictionary, _ pictures: inout Int, _ limits: InteractionLimits
    ) throws(BatonError) {
        for (_, value) in try parameters.attributes() { try measure(value, &pictures, limits) }
    }

    private static func measure(
        _ value: PropertyValue, _ pictures: inout Int, _ limits: InteractionLimits
    ) throws(BatonError) {
        switch value {
        case .array(let values): for value in values { try measure(value, &pictures, limits) }
        case .dictionary(let entries):
            for (key, value) in entries {
                if key == .string("imageData"), case .data(let data) = value {
                    guard data.count <= limits.pictureBytes else {
                        throw BatonError(
                            .resourceExhausted, reason: "picture_too_large",
                            "A picture has at most \(ByteSize.text(limits.pictureBytes)). Give a smaller one.")
                    }
                    pictures += data.count
                } else {
                    try measure(value, &pictures, limits)
                }
            }
        default: break
        }
    }

    static func size(_ message: some Message) -> Int { (try? message.serializedBytes() as [UInt8])?.count ?? .max }

    /// When it happened, in milliseconds since 1970: not before, and not after now.
    static func time(of interaction: Baton_Value_V1_Interaction, now: UInt64) -> UInt64 {
        let milliseconds = (interaction.start * 1000).rounded()
        guard milliseconds > 0 else { return 0 }
        return milliseconds < Double(now) ? UInt64(milliseconds) : now
    }

    private static func invalid(_ reason: String, _ message: String) -> BatonError {
        BatonError(.invalidArgument, reason: reason, message)
    }
}
