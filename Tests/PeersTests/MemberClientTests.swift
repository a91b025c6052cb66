import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf
import Synchronization
import Testing

@testable import Peers

@Suite("A device that is shut out in the middle of a call (H-11)") struct MemberClientTests {
    private static let find = ConnectMethod<Baton_Link_V1_FindItemsRequest, Baton_Link_V1_FindItemsResponse>(
        "test.Service", "Find")

    /// Answers as the test defines, whatever is asked.
    private struct LateDevice: ConnectClient {
        let answers: [Baton_Link_V1_FindItemsResponse]
        let beforeAnswer: @Sendable (_ number: Int) -> Void

        func unary<Request, Response>(
            _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
        ) async throws -> Response {
            beforeAnswer(0)
            return try #require(answers.first as? Response)
        }

        func serverStream<Request, Response>(
            _ method: ConnectMethod<Request, Response>, _ request: Request
        ) async throws -> ConnectResponses<Response> {
            let (answers, beforeAnswer) = (answers, beforeAnswer)
            return ConnectResponses {
                let number = Mutex(0)
                return { @Sendable in
                    let index = number.withLock { number in
                        defer { number += 1 }
                        return number
                    }
                    beforeAnswer(index)
                    return index < answers.count ? answers[index] as? Response : nil
                }
            }
        }
    }

    /// Shut out before the answer of this number.
    private func client(shutOutBefore number: Int) -> MemberClient {
        let isMember = Atomic(true)
        let device = LateDevice(answers: [.with { $0.items = [.init()] }, .init(), .init()]) { index in
            if index == number { isMember.store(false, ordering: .relaxed) }
        }
        return MemberClient(client: device) {
            guard isMember.load(ordering: .relaxed) else {
                throw BatonError(.unavailable, reason: "not_connected", "It is not connected now.")
            }
        }
    }

    @Test("Its answer counts for nothing")
    func answer() async throws {
        let answer = try await client(shutOutBefore: 1).unary(Self.find, .init(), timeout: .seconds(1))
        #expect(answer.items.count == 1)
        await #expect(throws: BatonError.self) {
            _ = try await client(shutOutBefore: 0).unary(Self.find, .init(), timeout: .seconds(1))
        }
    }

    @Test("Its stream ends with the first message that comes after")
    func stream() async throws {
        var count = 0
        do {
            for try await _ in try await client(shutOutBefore: 2).serverStream(Self.find, .init()) { count += 1 }
            Issue.record("it goes on")
        } catch let error as BatonError {
            #expect(error.reason == "not_connected")
        }
        #expect(count == 2)
        count = 0
        for try await _ in try await client(shutOutBefore: 9).serverStream(Self.find, .init()) { count += 1 }
        #expect(count == 3)
    }
}
