import BatonCore
import Files
import Foundation

/// `settings.json`: the person's settings, by name. Every function blocks.
struct SettingsFile: Sendable {
    let path: String

    /// Settings are few and short.
    private static let limit = 64 << 10

    init(in locations: Locations) { path = locations.configuration + "/settings.json" }

    /// - Returns: only what is set; nothing when there is no file.
    /// - Throws: `failed_precondition` with reason `settings_broken` when the file is not what it should be. It is then
    ///   refused whole: half of what a person meant may be the opposite of it.
    func read() throws(BatonError) -> [String: String] {
        let bytes: [UInt8]?
        do {
            bytes = try AtomicFile.read(path, limit: Self.limit)
        } catch {
            throw broken(error.message)
        }
        guard let bytes else { return [:] }
        guard let values = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) else {
            throw broken("It is not a JSON object of texts.")
        }
        do throws(BatonError) {
            for (name, value) in values { try Setting.named(name).validate(value) }
        } catch {
            throw broken(error.message)
        }
        return values
    }

    /// 0600, whole or not at all.
    func write(_ values: [String: String]) throws(BatonError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(values) else {
            throw BatonError(.internal, reason: "settings_not_encoded", "The settings could not be encoded.")
        }
        try AtomicFile.write(Array(data) + [UInt8(ascii: "\n")], to: path)
    }

    private func broken(_ why: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "settings_broken",
            "The file of settings “\(path)” cannot be used, and the defaults hold: \(why) Mend or remove it, then start "
                + "the daemon again.")
    }
}
