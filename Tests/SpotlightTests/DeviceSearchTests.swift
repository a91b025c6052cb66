import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

/// Other devices of the account, as a test has them answer.
private final class OtherDevices: SpotlightDevices {
    enum Behaviour: Sendable {
        case answers([Baton_Link_V1_FoundItem])
        case fails(BatonError)
        case hangs
    }

    let behaviours: [DeviceID: Behaviour]
    let asked = Mutex<[DeviceID]>([])
    private let hanging = Mutex<[AsyncStream<Void>.Continuation]>([])

    init(_ behaviours: [DeviceID: Behaviour] = [:]) { self.behaviours = behaviours }

    func connected() -> [DeviceID] { Array(behaviours.keys) }
    func name(of device: DeviceID) -> String { device == DeviceSearchTests.kitchen ? "Kitchen" : "Other" }

    func find(
        _ request: Baton_Link_V1_FindItemsRequest, on device: DeviceID, timeout: Duration
    ) async throws -> Baton_Link_V1_FindItemsResponse {
        asked.withLock { $0.append(device) }
        switch behaviours[device] {
        case .answers(let items)?: return .with { $0.items = items }
        case .fails(let error)?: throw error
        case .hangs?, nil:
            let (never, held) = AsyncStream.makeStream(of: Void.self)
            hanging.withLock { $0.append(held) }
            for await _ in never {}
            return .init()
        }
    }
}

@Suite("Search on other devices (issue 28, section 3)")
struct DeviceSearchTests {
    static let kitchen = DeviceID(unchecked: String(repeating: "A", count: 26))
    static let desk = DeviceID(unchecked: String(repeating: "B", count: 26))

    private static func item(
        _ title: String, _ url: String = "", source: Baton_Link_V1_FoundItem.Source = .item
    ) -> Baton_Link_V1_FoundItem {
        .with {
            $0.source = source
            $0.title = title
            $0.url = url
        }
    }

    private static func result(_ title: String, _ url: String = "") throws -> DeviceResult {
        try #require(DeviceResult(item(title, url), from: kitchen, now: 10))
    }

    // MARK: Answering

    @Test("A device answers only while its own setting is on, and nothing while it is locked")
    func allowed() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Yank Sing", "Dim sum")])
        let isAllowed = Mutex(false)
        let search = DeviceSearch(service, devices: OtherDevices()) { isAllowed.withLock { $0 } }
        func titles() async throws -> [String] {
            try await search.answer("dim sum", bundleID: nil, for: Self.kitchen).map(\.item.title)
        }
        await #expect { _ = try await titles() } throws: { ($0 as? BatonError)?.reason == "search_not_shared" }
        isAllowed.withLock { $0 = true }
        #expect(try await titles() == ["Yank Sing"])
        #expect(try await search.answer("dim", bundleID: SearchDevice.mail.bundleID, for: Self.kitchen).isEmpty)
        device.state.withLock { $0.isUnlocked = false }
        await #expect { _ = try await titles() } throws: { ($0 as? BatonError)?.reason == "search_not_shared" }
        service.close()
    }

    @Test("Items of the class .complete are never told to others; at most 10 are, with all words")
    func protected() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.update(
            .with {
                $0.index.protection = .complete
                $0.steps = [.item("secret", "Secret dumplings")]
            }, of: SearchDevice.notes)
        try await service.applyJournal()
        try await service.index((0..<15).map { .item("\($0)", "Dumplings \($0)") }, of: SearchDevice.mail)
        #expect(try await service.titles("dumplings", limit: 50).contains("Secret dumplings"))
        let search = DeviceSearch(service, devices: OtherDevices()) { true }
        let titles = try await search.answer("dumplings", bundleID: nil, for: Self.kitchen).map(\.item.title)
        #expect(titles.count == 10 && !titles.contains("Secret dumplings"))
        #expect(try await search.answer("secret", bundleID: nil, for: Self.kitchen).isEmpty)
        #expect(try await search.answer("dumplings nowhere", bundleID: nil, for: Self.kitchen).isEmpty)
        service.close()
    }

    @Test("A query of more than 1 KiB is refused, and so is the 11th of a second; another device still has its own")
    func bounds() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let search = DeviceSearch(service, devices: OtherDevices()) { true }
        let long = String(repeating: "é", count: 513)
        await #expect { _ = try await search.answer(long, bundleID: nil, for: Self.kitchen) } throws: {
            ($0 as? BatonError)?.reason == "query_too_long"
        }
        for _ in 0..<10 { _ = try await search.answer("a", bundleID: nil, for: Self.kitchen) }
        await #expect { _ = try await search.answer("a", bundleID: nil, for: Self.kitchen) } throws: {
            ($0 as? BatonError)?.reason == "too_many_queries"
        }
        _ = try await search.answer("a", bundleID: nil, for: Self.desk)
        device.state.withLock { $0.now += 100 }
        _ = try await search.answer("a", bundleID: nil, for: Self.kitchen)
        service.close()
    }

    @Test("The rate survives a clock that is set back, and remembers a bounded number of devices")
    func rate() throws {
        var rate = QueryRate()
        for _ in 0..<10 { try rate.take(Self.kitchen, now: 5_000) }
        #expect(throws: BatonError.self) { try rate.take(Self.kitchen, now: 0) }
        #expect(throws: BatonError.self) { try rate.take(Self.kitchen, now: 50) }
        try rate.take(Self.kitchen, now: 200)
        for index in 0..<200 {
            try rate.take(DeviceID(unchecked: "DEVICE\(index)"), now: 1_000 + UInt64(index))
        }
        #expect(rate.count == QueryRate.maximumDevices)
    }

    // MARK: Asking

    @Test("Nobody is asked while the setting is off here or the device is locked, nor for too long a query")
    func notAsked() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let others = OtherDevices([Self.kitchen: .answers([Self.item("There")])])
        let isAllowed = Mutex(false)
        let search = DeviceSearch(service, devices: others) { isAllowed.withLock { $0 } }
        #expect(await search.ask("there", bundleID: nil).results.isEmpty)
        isAllowed.withLock { $0 = true }
        #expect(await search.ask(String(repeating: "a", count: 1025), bundleID: nil).results.isEmpty)
        device.state.withLock { $0.isUnlocked = false }
        #expect(await search.ask("there", bundleID: nil).results.isEmpty)
        #expect(others.asked.withLock { $0.isEmpty })
        device.state.withLock { $0.isUnlocked = true }
        let answer = await search.ask("there", bundleID: nil)
        #expect(answer.results.map { $0.map(\.title) } == [["There"]] && answer.silent.isEmpty)
        service.close()
    }

    @Test("A device that hangs is waited for 150 ms and named; one whose person has not allowed it is not named")
    func silence() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let refusal = BatonError(.failedPrecondition, reason: "search_not_shared", "No.")
        let others = OtherDevices([Self.kitchen: .hangs, Self.desk: .fails(refusal)])
        let search = DeviceSearch(service, devices: others) { true }
        let start = ContinuousClock.now
        let answer = await search.ask("there", bundleID: nil)
        #expect(ContinuousClock.now - start >= .milliseconds(140) && ContinuousClock.now - start < .seconds(2))
        #expect(answer.silent == [Self.kitchen] && answer.results.allSatisfy(\.isEmpty))
        // It is not asked without end.
        for _ in 0..<6 { _ = await search.ask("there", bundleID: nil) }
        #expect(others.asked.withLock { $0.count { $0 == Self.kitchen } } == 4)
        let broken = OtherDevices([Self.kitchen: .fails(BatonError(.unavailable, reason: "not_connected", "Gone."))])
        let other = DeviceSearch(service, devices: broken) { true }
        #expect(await other.ask("there", bundleID: nil).silent == [Self.kitchen])
        service.close()
    }

    @Test("A device that answers more than it may has 10 results taken")
    func tooMany() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let others = OtherDevices([Self.kitchen: .answers((0..<500).map { Self.item("\($0)") })])
        let search = DeviceSearch(service, devices: others) { true }
        #expect(await search.ask("there", bundleID: nil).results.first?.count == 10)
        service.close()
    }

    // MARK: What others say

    @Test("Hostile titles come without controls and direction marks, on one line, and bounded")
    func hostile() throws {
        let title = "\u{1B}[2JPay\u{202E}\u{2066} now\n\r\u{2028}" + String(repeating: "x", count: 1 << 20)
        let result = try Self.result(title)
        #expect(result.title.utf8.count <= DeviceResult.maximumTitle)
        #expect(result.title.hasPrefix(" [2JPay now"))
        #expect(!result.title.unicodeScalars.contains { $0.value < 0x20 || (0x2028...0x202E).contains($0.value) })
        #expect(try Self.result("👩‍👧").title == "👩‍👧")
        let future = Baton_Link_V1_FoundItem.with {
            $0.source = .page
            $0.time = .max
            $0.app.bundleID = "../../etc"
        }
        let read = try #require(DeviceResult(future, from: Self.kitchen, now: 10))
        #expect(read.time == 10 && read.app == nil)
        #expect(DeviceResult(Self.item("a", source: .UNRECOGNIZED(77)), from: Self.kitchen, now: 10) == nil)
        #expect(DeviceResult(Self.item("a", source: .unspecified), from: Self.kitchen, now: 10) == nil)
    }

    @Test(
        "Only pages of http and https that do not lead to this machine are opened for another device",
        arguments: [
            ("https://example.com/a?b=c", true), ("http://example.com/", true), ("file:///etc/passwd", false),
            ("tel:+1", false), ("javascript:alert(1)", false), ("http://localhost:631/", false),
            ("http://127.1/", false), ("https://me:secret@example.com/", false), ("", false),
        ])
    func pages(_ url: String, _ isOpened: Bool) async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let search = DeviceSearch(service, devices: OtherDevices()) { true }
        let result = try Self.result("There", url)
        #expect((result.page != nil) == isOpened)
        // A made-up identifier is no way around it.
        let id = "device/\(Self.kitchen)/\(url)"
        if isOpened {
            #expect(result.id == id)
            #expect(try await search.open(id)?.isHandled == true)
        } else {
            await #expect { _ = try await search.open(id) } throws: {
                ($0 as? BatonError)?.reason == "opens_elsewhere"
                    && ($0 as? BatonError)?.message.contains("Kitchen") == true
            }
        }
        #expect(device.state.withLock { $0.openedFiles } == (isOpened ? [url] : []))
        #expect(try await search.open("12-abc") == nil)
        #expect(try await search.open("device/nobody/https://example.com/") == nil)
        service.close()
    }

    @Test("Results are merged by their place, this device's first, and what is here too is left out")
    func merging() throws {
        let there = [try Self.result("b", "https://b.example/"), try Self.result("c")]
        let other = [try Self.result("d")]
        let merged = SearchMerge.order(here: ["a", "b"], elsewhere: [there, other]) { $0 == $1.title }
        let titles = merged.map { found in
            switch found {
            case .here(let title): "here \(title)"
            case .elsewhere(let result): "there \(result.title)"
            }
        }
        #expect(titles == ["here a", "there d", "here b", "there c"])
        #expect(SearchMerge.order(here: [String](), elsewhere: [], isSame: { _, _ in true }).isEmpty)
    }
}
