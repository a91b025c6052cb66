import BatonClient
package import BatonWire
import Foundation
import SwiftProtobuf

/// A person's actions on offers, and waiting for their effect.
extension TestDevice {
    package typealias OfferItem = Baton_Control_V1_OfferItem
    package typealias ContinuationEvent = Baton_Control_V1_ContinuationEvent

    /// Waits until what is offered here satisfies the condition.
    @discardableResult
    package func offers(
        limit: Duration = .seconds(20), _ what: String, where matches: @escaping @Sendable ([OfferItem]) -> Bool
    ) async throws -> [OfferItem] {
        let client = client
        return try await within(limit, "\(name) to see \(what)") {
            for try await answer in try await client.serverStream(ControlMethods.watchOffers, .with { $0.watch = true })
            where matches(answer.offers) {
                return answer.offers
            }
            throw IntegrationFailure("The daemon of \(self.name) ended while it was asked for offers.")
        }
    }

    /// Waits for an offer of a type (and title).
    package func offer(
        ofType type: String, title: String? = nil, limit: Duration = .seconds(20)
    ) async throws -> OfferItem {
        let isMeant: @Sendable (OfferItem) -> Bool = {
            $0.offer.activity.activityType == type && (title == nil || $0.offer.activity.title == title)
        }
        let all = try await offers(limit: limit, "an offer of \(type) \(title ?? "")") { $0.contains(where: isMeant) }
        guard let offer = all.first(where: isMeant) else { throw IntegrationFailure("unreachable") }
        return offer
    }

    /// The present offers.
    package func offersNow() async throws -> [OfferItem] {
        for try await answer in try await client.serverStream(ControlMethods.watchOffers, .init()) {
            return answer.offers
        }
        return []
    }

    /// Accepts an offer and returns every step, to the last one.
    package func `continue`(
        _ offerID: String, opensPage: Bool = false, limit: Duration = .seconds(90)
    ) async throws -> [ContinuationEvent] {
        let client = client
        return try await within(limit, "\(name) to continue \(offerID)") {
            var events: [ContinuationEvent] = []
            for try await event in try await client.serverStream(
                ControlMethods.continueOffer,
                .with {
                    $0.offerID = offerID
                    $0.callerOpensPage = opensPage
                })
            {
                events.append(event)
            }
            return events
        }
    }

    /// Waits for a record of the daemon, an old one or one that comes.
    @discardableResult
    package func record(
        _ event: String, limit: Duration = .seconds(20),
        where matches: @escaping @Sendable (Baton_Control_V1_LogRecord) -> Bool = { _ in true }
    ) async throws -> Baton_Control_V1_LogRecord {
        let client = client
        return try await within(limit, "\(name) to record \(event)") {
            for try await record in try await client.serverStream(ControlMethods.readLog, .with { $0.follow = true })
            where record.event == event && matches(record) {
                return record
            }
            throw IntegrationFailure("The daemon of \(self.name) ended before it recorded \(event).")
        }
    }

    /// Every record that the daemon keeps in memory.
    package func records(acceptance: String = "") async throws -> [Baton_Control_V1_LogRecord] {
        var records: [Baton_Control_V1_LogRecord] = []
        for try await record in try await client.serverStream(
            ControlMethods.readLog, .with { $0.acceptanceID = acceptance })
        {
            records.append(record)
        }
        return records
    }

    /// Checks a condition for which there is no stream, every 50 ms.
    package func until(
        _ what: String, limit: Duration = .seconds(30), _ isSo: @escaping @Sendable () async throws -> Bool
    ) async throws {
        try await within(limit, what) {
            while try await !isSo() {
                try await Task.sleep(for: .milliseconds(50))  // sleeps: the condition causes no event
            }
        }
    }

    /// Waits until this device has presence with the other.
    package func isConnected(to other: TestDevice, limit: Duration = .seconds(40)) async throws {
        try await until("\(name) to be connected with \(other.name)", limit: limit) {
            try await self.call(ControlMethods.listDevices).devices.contains { $0.name == other.name && $0.connected }
        }
    }

    package func isDisconnected(from other: TestDevice, limit: Duration = .seconds(60)) async throws {
        try await until("\(name) to lose \(other.name)", limit: limit) {
            try await self.call(ControlMethods.listDevices).devices.contains { $0.name == other.name && !$0.connected }
        }
    }
}
