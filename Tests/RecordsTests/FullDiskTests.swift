import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf
import Testing

@testable import Records

@Suite("Full disks of replicas", .timeLimit(.minutes(1)))
struct FullDiskTests {
    @Test(
        "A replica without room refuses a save with a sentence, keeps what it had, and goes on when there is room (D-1)"
    )
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let device = try await RecordsDevice(directory, "a")
        try await device.makeZone()
        _ = try await device.save([RecordsDevice.record("first", ["text": "here"])])
        func setRoom(_ pages: Int?) async throws {
            try await device.replica.perform { transaction in
                let count = try Int.fetchOne(transaction.db, sql: "PRAGMA page_count") ?? 0
                try transaction.db.execute(sql: "PRAGMA max_page_count = \(pages.map { count + $0 } ?? 1_000_000)")
            }
        }
        try await setRoom(2)
        let large = RecordsDevice.record("large", ["text": String(repeating: "x", count: 30_000)])
        let error = await #expect(throws: BatonError.self) { try await device.save([large]) }
        #expect(error?.reason == "not_kept" && error?.message.isEmpty == false)
        #expect(try await device.fetch("first").record.texts == ["text": "here"])
        #expect(try await device.fetch("large").problem.reason == "unknown_item")
        try await setRoom(nil)
        #expect(try await device.save([large]).saved.allSatisfy { !$0.hasProblem })
        #expect(try await device.fetch("large").record.texts["text"]?.count == 30_000)
    }
}
