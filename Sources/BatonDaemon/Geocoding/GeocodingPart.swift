import BatonStore
import BatonTransport
import Foundation
import Geocoding

/// Finding places for apps.
struct GeocodingPart: DaemonPart {
    static let migrations = Geocoding.migrations

    let service: Geocoding
    /// Later parts that know places: the latest first.
    let known = Hooks<@Sendable () -> [FoundPlace]>()

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        service = Geocoding(
            database: daemon.database,
            dependencies: .init(
                known: HookedPlaces(hooks: known),
                geocoder: { (try? Nominatim.base(settings.value(of: .geocoder))) ?? nil },
                gazetteers: { Self.gazetteers(settings.value(of: .gazetteer)) }, client: NominatimClient(),
                recorder: daemon.log))
    }

    func registerLocal(on router: inout ConnectRouter) {
        GeocodingHarness(service).register(on: &router)
    }

    /// The person's file, else what lies beside this program, else what the package has installed.
    private static func gazetteers(_ setting: String) -> [String] {
        if setting != Setting.gazetteer.defaultValue { return [setting] }
        let daemon = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = URL(fileURLWithPath: daemon).deletingLastPathComponent()
        return [
            folder.appendingPathComponent("places.tsv").path,
            folder.deletingLastPathComponent().appendingPathComponent("share/baton/places.tsv").path,
            "/usr/share/baton/places.tsv",
        ]
    }
}

/// The services for later parts of the daemon.
private struct HookedPlaces: KnownPlaces {
    let hooks: Hooks<@Sendable () -> [FoundPlace]>

    func places() async -> [FoundPlace] { hooks.all.flatMap { $0() } }
}
