import AppLink
import BatonCore
import BatonWire
import Foundation
import Logging
import SwiftProtobuf

/// The places for a navigation app to show: a value.
struct MapsOpening: Sendable {
    var source: MKMapItem?
    var destination: MKMapItem
    var transport = MKDirectionsTransportType.any

    /// Nil without an item that says where it is.
    init?(_ items: [MKMapItem], options: [String: Any]?) {
        guard let destination = items.last, destination.isCurrentLocation == false else { return nil }
        self.destination = destination
        let mode = options?[MKLaunchOptionsDirectionsModeKey] as? String
        if items.count > 1, mode != nil { source = items.first } else if mode != nil { source = .forCurrentLocation() }
        switch mode {
        case MKLaunchOptionsDirectionsModeDriving: transport = .automobile
        case MKLaunchOptionsDirectionsModeWalking: transport = .walking
        case MKLaunchOptionsDirectionsModeTransit: transport = .transit
        default: break
        }
    }

    /// For a program of the desktop: `geo:LAT,LON?q=LAT,LON(NAME)`, by the address where there is no coordinate. Nil for an item
    /// that has neither.
    var geoURL: URL? {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~,")
        func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
        if let coordinate = destination.placemark.location?.coordinate {
            let point = "\(coordinate.latitude),\(coordinate.longitude)"
            guard let name = destination.name, !name.isEmpty else { return URL(string: "geo:\(point)") }
            return URL(string: "geo:\(point)?q=\(point)(\(escaped(name)))")
        }
        let address = destination.address?.fullAddress ?? destination.name ?? ""
        return address.isEmpty ? nil : URL(string: "geo:0,0?q=\(escaped(address))")
    }

    var request: MKDirections.Request {
        let request = MKDirections.Request()
        request.source = source
        request.destination = destination
        request.transportType = transport
        return request
    }
}

extension AppRuntime {
    /// The way to the app that shows it.
    enum WayToMaps: Sendable {
        /// An app, by its bundle identifier.
        case routingApp(String)
        case desktop(URL)
    }

    private static let questionTimeout = Duration.seconds(2)
    /// The daemon launches the app and waits for its answer: longer than it does.
    private static let openTimeout = Duration.seconds(90)

    /// Waits on this thread, as Apple's method does.
    func wayToMaps(_ opening: MapsOpening) -> WayToMaps? {
        (try? link.wait(.seconds(5)) { [self] in await findWayToMaps(opening) }) ?? nil
    }

    private func findWayToMaps(_ opening: MapsOpening) async -> WayToMaps? {
        let profile = profile
        guard profile.socketPath != nil else { return nil }
        let handlers = try? await link.call(
            OpeningMethods.listDocumentHandlers,
            .with {
                $0.types = [DirectionsRequestFile.type]
            }, timeout: Self.questionTimeout)
        if let handler = handlers?.handlers.first { return .routingApp(handler.bundleID) }
        guard let url = opening.geoURL else { return nil }
        let answer = try? await link.call(
            OpeningMethods.canOpenURL,
            .with {
                $0.url = url.absoluteString
            }, timeout: Self.questionTimeout)
        return answer?.canOpen == true ? .desktop(url) : nil
    }

    func openMaps(_ opening: MapsOpening, _ known: WayToMaps? = nil) async -> Bool {
        let found = if let known { known } else { await findWayToMaps(opening) }
        switch found {
        case .routingApp(let bundleID): return await ask(bundleID, opening.request)
        case .desktop(let url): return await open(url, universalLinksOnly: false)
        case nil: return false
        }
    }

    /// Hands the request over as a file, of which the app gets a copy.
    private func ask(_ bundleID: String, _ request: MKDirections.Request) async -> Bool {
        let profile = profile
        guard profile.socketPath != nil else { return false }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("Directions." + DirectionsRequestFile.fileExtension)
            try JSONEncoder().encode(DirectionsRequestFile(request)).write(to: file)
            return try await link.call(
                OpeningMethods.openDocument,
                .with {
                    $0.path = file.path
                    $0.handlerBundleID = bundleID
                }, timeout: Self.openTimeout
            ).handled
        } catch {
            logger.warning("No directions: \((error as? BatonError)?.message ?? "\(error)")")
            return false
        }
    }
}
