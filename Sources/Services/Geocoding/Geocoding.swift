import BatonConcurrency
package import BatonCore
package import BatonStore
package import Foundation
import Synchronization

/// Finds places by their names and addresses, and addresses by coordinates.
///
/// It asks in this order, and the first that has an answer is right: places that are known on this device, the geocoder that
/// the person has set, the gazetteer of towns.
package final class Geocoding: Sendable {
    package struct Dependencies: Sendable {
        package var known: any KnownPlaces
        /// The person's geocoder; nil for none.
        package var geocoder: @Sendable () -> URL?
        /// Files of towns; the first that can be read is used.
        package var gazetteers: @Sendable () -> [String]
        package var client: any GeocoderClient
        package var now: @Sendable () -> Date
        package var sleep: @Sendable (Duration) async throws -> Void
        package var recorder: any EventRecorder

        package init(
            known: any KnownPlaces, geocoder: @escaping @Sendable () -> URL?,
            gazetteers: @escaping @Sendable () -> [String], client: any GeocoderClient,
            now: @escaping @Sendable () -> Date = { Date() },
            sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
            recorder: any EventRecorder
        ) {
            self.known = known
            self.geocoder = geocoder
            self.gazetteers = gazetteers
            self.client = client
            self.now = now
            self.sleep = sleep
            self.recorder = recorder
        }
    }

    package static let migrations = GeocodeCache.migrations

    private let dependencies: Dependencies
    private let cache: GeocodeCache
    private let pace = Mutex(RequestPace())
    /// For letters that are typed and for names that are looked up: a person types many letters before an app looks up one name.
    private let paces = Mutex((typed: KnownPlacePace(), lookedUp: KnownPlacePace()))
    private let files = BlockingQueue("development.baton.gazetteer")
    /// The file that is loaded, and what is in it; nil in it for one that cannot be used, which is logged once.
    private let loaded = Mutex<(path: String, changed: Date, gazetteer: Gazetteer?)?>(nil)

    package init(database: DaemonDatabase, dependencies: Dependencies) {
        cache = GeocodeCache(database: database)
        self.dependencies = dependencies
    }

    /// - Parameter app: the app that asks; nil for the person.
    /// - Throws: `resource_exhausted` when too much is asked, `unavailable` when the geocoder does not answer and no other source
    ///   knows.
    package func answer(_ query: GeocodeQuery, for app: BundleID? = nil) async throws -> GeocodeAnswer {
        let known = await known(query, app)
        if query.purpose == .geocode, !known.isEmpty { return GeocodeAnswer(places: known) }
        var failure: (any Error)?
        var answer = GeocodeAnswer(places: known)
        if query.purpose != .complete, let base = dependencies.geocoder() {
            do {
                let asked = try await ask(query, base: base)
                if !asked.places.isEmpty, !asked.isPartial { return joined(known, asked, query) }
                answer = joined(known, asked, query)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = error
                record(error)
            }
        }
        // Beginnings and the nearest towns take milliseconds, of no thread that others need.
        let towns = await files.run { [self] in gazetteer()?.answer(query) ?? GeocodeAnswer() }
        // A town that the server has named is the better one.
        if answer.places.isEmpty || query.purpose != .geocode { answer = joined(answer.places, towns, query) }
        if answer.places.isEmpty, let failure { throw failure }
        return answer
    }

    /// A person does not type so fast, nor an app look up so much of what was just seen, that places are left out.
    private func known(_ query: GeocodeQuery, _ app: BundleID?) async -> [FoundPlace] {
        let places = await dependencies.known.places()
        guard !places.isEmpty else { return [] }
        if let app {
            let mayMatch = paces.withLock {
                query.purpose == .complete ? $0.typed.take(app, now: .now) : $0.lookedUp.take(app, now: .now)
            }
            guard mayMatch else { return [] }
        }
        return KnownPlaceMatch.places(places, for: query)
    }

    package enum Forgotten: Sendable {
        case place(String)
        /// Milliseconds since 1970.
        case since(UInt64)
        case all
    }

    /// Forgets what a geocoder was asked, and its answers. They are gone from the disk when this returns.
    package func forget(_ what: Forgotten) async throws { try await cache.remove(what) }

    private func joined(_ first: [FoundPlace], _ second: GeocodeAnswer, _ query: GeocodeQuery) -> GeocodeAnswer {
        var answer = second
        answer.places = Array((first + second.places.filter { !first.contains($0) }).prefix(query.limit))
        return answer
    }

    // MARK: The geocoder

    private func ask(_ query: GeocodeQuery, base: URL) async throws -> GeocodeAnswer {
        guard let url = Nominatim.url(query, base: base) else { return GeocodeAnswer() }
        if let body = try? await cache.answer(to: url, now: dependencies.now()) {
            return try Nominatim.answer(body, to: query)
        }
        let wait = try pace.withLock { pace throws(BatonError) in try pace.enter(now: .now) }
        if wait > .zero { try await dependencies.sleep(wait) }
        let body = try await dependencies.client.get(url)
        let answer = try Nominatim.answer(body, to: query)
        try? await cache.keep(body, of: url, now: dependencies.now())
        return answer
    }

    private func record(_ error: any Error) {
        let error = error as? BatonError
        dependencies.recorder.record(
            "geocoding", error?.reason ?? "geocoder_failed", error?.message ?? "The geocoder could not be asked.", [:])
    }

    // MARK: The gazetteer

    /// Blocks.
    private func gazetteer() -> Gazetteer? {
        for path in dependencies.gazetteers() {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let changed = attributes[.modificationDate] as? Date
            else { continue }
            if let loaded = loaded.withLock({ $0 }), loaded.path == path, loaded.changed == changed {
                if let gazetteer = loaded.gazetteer { return gazetteer }
                continue
            }
            let gazetteer = load(path, attributes)
            loaded.withLock { $0 = (path, changed, gazetteer) }
            if let gazetteer { return gazetteer }
        }
        return nil
    }

    private func load(_ path: String, _ attributes: [FileAttributeKey: Any]) -> Gazetteer? {
        do {
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                (attributes[.size] as? Int ?? 0) <= Gazetteer.maximumBytes
            else {
                throw BatonError(
                    .invalidArgument, reason: "gazetteer_unusable",
                    "\(path) is no file of places. Make one with dev/gazetteer.")
            }
            // Not mapped: a file that is cut while it is mapped would end the daemon.
            return try Gazetteer(Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            record(error)
            return nil
        }
    }
}
