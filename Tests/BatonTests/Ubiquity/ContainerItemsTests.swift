import AppLink
import BatonCore
import BatonWire
import Foundation
import MetadataQuery
import SwiftProtobuf
import Testing

@testable import Baton

@Suite("What is known of a container") struct ContainerItemsTests {
    private func item(_ id: UInt8, _ path: String, size: UInt64 = 1) -> Baton_App_V1_DocumentItem {
        .with {
            $0.id = Data([id])
            $0.path = path
            $0.size = size
            $0.download = .current
        }
    }

    private func news(
        _ changed: [Baton_App_V1_DocumentItem] = [], removed: [UInt8] = [], reset: Bool = false, gathered: Bool = false
    ) -> Baton_App_V1_ContainerNews {
        .with {
            $0.changed = changed
            $0.removed = removed.map { Data([$0]) }
            $0.reset = reset
            $0.gathered = gathered
        }
    }

    @Test("Items that are told again after a restart of the daemon neither go nor come; those that are not are gone")
    func restart() {
        var items = ContainerItems()
        #expect(items.told(news([item(1, "a"), item(2, "b")], reset: true)).changed.count == 2)
        #expect(!items.isGathered)
        #expect(items.told(news([item(3, "c")], gathered: true)).isGathered)
        #expect(items.told(news([item(2, "b")], reset: true)).isEmpty)
        #expect(items.item(at: "a") != nil)
        let delta = items.told(news([item(3, "c", size: 2)], gathered: true))
        #expect(delta.changed.map(\.path) == ["c"])
        #expect(delta.removed.map(\.path) == ["a"])
        #expect(items.item(at: "a") == nil)
        #expect(items.item(at: "b") != nil)
    }

    @Test("Two items that change places are found at their places")
    func exchange() {
        var items = ContainerItems()
        _ = items.told(news([item(1, "a"), item(2, "b")], reset: true, gathered: true))
        _ = items.told(news([item(1, "b"), item(2, "a")]))
        #expect(items.item(at: "a")?.id == Data([2]))
        #expect(items.item(at: "b")?.id == Data([1]))
        let delta = items.vanished()
        #expect(delta.removed.count == 2 && !delta.isGathered)
    }

    @Test(
        "What cannot be an item is none",
        arguments: ["", "/a", "a/", "a//b", "../a", "a/../b", "a/.", "a\u{0}b", String(repeating: "a", count: 5000)])
    func hostile(path: String) {
        var items = ContainerItems()
        #expect(items.told(news([item(1, path)], reset: true, gathered: true)).changed.isEmpty)
        var deleted = item(2, "fine")
        deleted.deleted = 1
        #expect(UbiquitousItem(deleted) == nil)
        #expect(UbiquitousItem(.with { $0.path = "fine" }) == nil)
        var odd = item(3, "fine")
        (odd.downloadedPercent, odd.uploadedPercent) = (.nan, .infinity)
        #expect(UbiquitousItem(odd)?.downloadedPercent == 0)
    }

    @Test("A query shows when an item was made, how far it has gone up, and what its container is called")
    func metadata() throws {
        let container = try #require(UbiquityContainer(identifier: "i", path: "/c", displayName: "Notes"))
        var message = item(1, "a.txt")
        message.created = 1_700_000_000_000_000_000
        (message.uploading, message.uploadedPercent) = (true, 40)
        let going = try #require(UbiquitousItem(message)).record(in: container).attributes
        #expect(going[NSMetadataItemFSCreationDateKey] == .date(Date(timeIntervalSince1970: 1_700_000_000)))
        #expect(going[NSMetadataUbiquitousItemPercentUploadedKey] == .real(40))
        #expect(going[NSMetadataUbiquitousItemContainerDisplayNameKey] == .string("Notes"))
        (message.created, message.uploading, message.uploaded) = (0, false, true)
        let gone = try #require(UbiquitousItem(message)).record(in: container).attributes
        #expect(gone[NSMetadataItemFSCreationDateKey] == nil)
        #expect(gone[NSMetadataUbiquitousItemPercentUploadedKey] == .real(100))
    }

    @Test("A path in a container is found by any of its names, and none that leads out")
    func places() throws {
        let container = try #require(UbiquityContainer(identifier: "i", path: "/nowhere/c/"))
        #expect(container.displayName == "i")
        #expect(UbiquityContainer(identifier: "i", path: "/c", displayName: "Notes")?.displayName == "Notes")
        #expect(container.relativePath(of: URL(fileURLWithPath: "/nowhere/c/Documents/a")) == "Documents/a")
        #expect(container.relativePath(of: URL(fileURLWithPath: "/nowhere/c/Documents/.a.icloud")) == "Documents/a")
        #expect(container.relativePath(of: URL(fileURLWithPath: "/nowhere/c/../d")) == nil)
        #expect(container.relativePath(of: URL(fileURLWithPath: "/nowhere/c")) == nil)
        #expect(container.relativePath(of: URL(fileURLWithPath: "/nowhere/cc/a")) == nil)
        for path in ["", "relative", "/"] { #expect(UbiquityContainer(identifier: "i", path: path) == nil) }
    }
}
