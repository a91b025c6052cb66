import BatonCore
import BatonStore
import BatonTestSupport
import Foundation
import Synchronization
import Testing

@testable import Geocoding

/// The sources that are asked, in which order, and how often.
@Suite(.timeLimit(.minutes(1))) struct GeocodingServiceTests {
    /// A geocoder that answers what the test says.
    private final class Server: GeocoderClient {
        private let state = Mutex<(answer: Result<Data, BatonError>, asked: [URL])>((.success(Data("[]".utf8)), []))

        var asked: [URL] { state.withLock { $0.asked } }
        func answer(_ text: String) { state.withLock { $0.answer = .success(Data(text.utf8)) } }
        func fail() {
            state.withLock {
                $0.answer = .failure(BatonError(.unavailable, reason: "geocoder_unreachable", "It is away."))
            }
        }

        func get(_ url: URL) async throws -> Data {
            try state.withLock { state in
                state.asked.append(url)
                return try state.answer.get()
            }
        }
    }

    private struct Known: KnownPlaces {
        var list: [FoundPlace]
        func places() async -> [FoundPlace] { list }
    }

    private final class Clock: Sendable {
        let date = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        let slept = Mutex<[Duration]>([])
    }

    private let folder: TemporaryDirectory
    private let server = Server()
    private let clock = Clock()

    init() throws {
        folder = try TemporaryDirectory()
        try Data(GazetteerTests.file.utf8).write(to: URL(fileURLWithPath: folder.file("places.tsv")))
    }

    private static let yankSing = FoundPlace(
        source: .known,
        texts: [
            "name": "Yank Sing", "thoroughfare": "Spear St", "subThoroughfare": "101", "locality": "San Francisco",
            "administrativeArea": "CA", "postalCode": "94105",
        ], point: GeoPoint(latitude: 37.7924, longitude: -122.3939), accuracy: 10)

    private func service(known: [FoundPlace] = [], hasServer: Bool = true) throws -> Geocoding {
        let database = try DaemonDatabase(path: folder.file("daemon.sqlite"), migrations: Geocoding.migrations)
        let base = hasServer ? URL(string: "http://geocoder.example") : nil
        let (clock, path) = (clock, folder.file("places.tsv"))
        return Geocoding(
            database: database,
            dependencies: .init(
                known: Known(list: known), geocoder: { base }, gazetteers: { ["/nonexistent/places.tsv", path] },
                client: server, now: { clock.date.withLock { $0 } },
                sleep: { duration in clock.slept.withLock { $0.append(duration) } }, recorder: NullEventRecorder()))
    }

    private let spear = GeocodeQuery(.text("101 Spear St, San Francisco, CA 94105"))

    @Test("a known place answers first, and nobody is asked; then the geocoder; then the towns, in part (P-42, X-6)")
    func order() async throws {
        let known = try await service(known: [Self.yankSing]).answer(spear)
        #expect(known.places == [Self.yankSing] && server.asked.isEmpty)
        server.answer(NominatimTests.spear)
        let asked = try await service().answer(spear)
        #expect(asked.places.first?.source == .geocoder && !asked.isPartial && server.asked.count == 1)
        let town = try await service(hasServer: false).answer(spear)
        #expect(town.isPartial && town.places.map(\.source) == [.gazetteer])
    }

    @Test("a geocoder that is away or knows nothing leaves the towns, and its error is told only if those know nothing")
    func failures() async throws {
        let service = try service()
        server.fail()
        #expect(try await service.answer(spear).isPartial)
        await #expect(throws: BatonError.self) { try await service.answer(GeocodeQuery(.text("no such place"))) }
        server.answer("[]")
        #expect(try await service.answer(GeocodeQuery(.text("no such place"))).places.isEmpty)
        server.answer("<html>")
        #expect(try await service.answer(GeocodeQuery(.text("Paris, Texas"))).places.count == 1)
    }

    @Test("only the geocoder is asked for places of a kind: what the person has looked at is no answer to an area")
    func kinds() async throws {
        let point = try #require(Self.yankSing.point)
        let low = try #require(GeoPoint(latitude: point.latitude - 1, longitude: point.longitude - 1))
        let high = try #require(GeoPoint(latitude: point.latitude + 1, longitude: point.longitude + 1))
        let kind = try #require(GeocodeQuery.Kind(tag: "amenity=restaurant", southWest: low, northEast: high))
        let query = GeocodeQuery(.kind(kind), purpose: .search)
        #expect(try await service(known: [Self.yankSing], hasServer: false).answer(query).places.isEmpty)
        server.answer(NominatimTests.spear)
        let asked = try await service(known: [Self.yankSing]).answer(query)
        #expect(asked.places.map(\.source) == [.geocoder] && server.asked.count == 1)
    }

    @Test("an answer is kept for 30 days, also over a restart, and is forgotten on request")
    func cache() async throws {
        server.answer(NominatimTests.spear)
        _ = try await service().answer(spear)
        _ = try await service().answer(spear)
        #expect(server.asked.count == 1)
        clock.date.withLock { $0 += 31 * 24 * 60 * 60 }
        let service = try service()
        _ = try await service.answer(spear)
        #expect(server.asked.count == 2)
        try await service.forget(.all)
        _ = try await service.answer(spear)
        #expect(server.asked.count == 3)
    }

    @Test("a place and hours that are forgotten leave neither the question nor the answer on the disk")
    func forgetting() async throws {
        server.answer(NominatimTests.spear)
        let service = try service()
        let start = clock.date.withLock { $0 }
        let streets = ["Alpha Street 1, Townville", "Beta Street 2, Townville", "Gamma Street 3, Townville"]
        for street in streets {
            server.answer(#"[{"lat": "1", "lon": "1", "name": "\#(street)"}]"#)
            _ = try await service.answer(GeocodeQuery(.text(street)))
            clock.date.withLock { $0 += 3600 }
        }
        try await service.forget(.place("beta street"))
        try await service.forget(.since(UInt64((start.timeIntervalSince1970 + 7000) * 1000)))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("sqlite") }
        let bytes = try files.reduce(into: Data()) {
            $0 += try Data(contentsOf: URL(fileURLWithPath: folder.file($1)))
        }
        let kept = ["Alpha", "Beta", "Gamma"].filter { bytes.range(of: Data($0.utf8)) != nil }
        #expect(kept == ["Alpha"])
        let asked = server.asked.count
        for street in streets { _ = try await service.answer(GeocodeQuery(.text(street))) }
        #expect(server.asked.count == asked + 2)
    }

    @Test("a geocoder is asked once a second, a few requests wait, and more are refused")
    func pace() async throws {
        var pace = RequestPace()
        let start = ContinuousClock.now
        var waits: [Duration] = []
        for _ in 0..<8 { waits.append(try pace.enter(now: start)) }
        #expect(waits == (0..<8).map { .seconds($0) })
        #expect(throws: BatonError.self) { try pace.enter(now: start) }
        let later = try pace.enter(now: start + .seconds(20))
        #expect(later == .zero)
    }

    @Test("what somebody types never reaches a geocoder, and finds known places only by three letters or more")
    func completions() async throws {
        let service = try service(known: [Self.yankSing])
        let short = try await service.answer(GeocodeQuery(.text("ya"), purpose: .complete))
        #expect(short.places.isEmpty)
        let long = try await service.answer(GeocodeQuery(.text("yan"), purpose: .complete))
        #expect(long.places == [Self.yankSing])
        #expect(server.asked.isEmpty)
        // One that tries all letters does not learn all places.
        let app = try BundleID(validating: "com.example.curious")
        for _ in 0..<Int(KnownPlacePace.burst) {
            let found = try await service.answer(GeocodeQuery(.text("yan"), purpose: .complete), for: app)
            #expect(found.places == [Self.yankSing])
        }
        let refused = try await service.answer(GeocodeQuery(.text("yan"), purpose: .complete), for: app)
        #expect(refused.places.isEmpty)
        // An app that does not know of a place does not learn of it.
        let search = try await service.answer(GeocodeQuery(.text("San Francisco"), purpose: .search))
        #expect(!search.places.contains(Self.yankSing))
    }

    @Test("an app that tries all corners of a town, or all names, does not learn which places the person looked at")
    func sweeps() async throws {
        let service = try service(known: [Self.yankSing], hasServer: false)
        let point = try #require(Self.yankSing.point)
        let near = try #require(GeoPoint(latitude: point.latitude + 0.0005, longitude: point.longitude))
        let sweep = try BundleID(validating: "com.example.sweep")
        let beside = try await service.answer(GeocodeQuery(.point(near)), for: sweep)
        #expect(!beside.places.contains(Self.yankSing))
        let queries = [GeocodeQuery(.point(point)), GeocodeQuery(.text("Yank Sing")), spear]
        for query in queries {
            #expect(try await service.answer(query, for: sweep).places == [Self.yankSing])
        }
        for _ in 0..<Int(KnownPlacePace.burst) { _ = try await service.answer(GeocodeQuery(.point(near)), for: sweep) }
        for query in queries {
            #expect(try await !service.answer(query, for: sweep).places.contains(Self.yankSing))
        }
        // Another app has a pace of its own, and so has what a person types.
        let other = try BundleID(validating: "com.example.other")
        #expect(try await service.answer(spear, for: other).places == [Self.yankSing])
        let typed = try await service.answer(GeocodeQuery(.text("yan"), purpose: .complete), for: sweep)
        #expect(typed.places == [Self.yankSing])
    }
}
