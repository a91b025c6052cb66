import BatonWire
import Testing

@testable import Spotlight

@Suite("Words of others in an app's query", .timeLimit(.minutes(1)))
struct OwnWordsTests {
    /// What an app finds among its items, where another one has nothing or has some.
    private func found(
        _ query: String, among own: [Baton_App_V1_SearchableIndexStep], beside other: [Baton_App_V1_SearchableIndexStep]
    ) async throws -> [String] {
        let service = try SearchDevice().service()
        defer { service.close() }
        try await service.index(own)
        if !other.isEmpty { try await service.index(other, of: SearchDevice.mail) }
        return try await service.identifiers(query, user: true)
    }

    @Test("An app that has a word's mistyped form does not learn whether others have the word")
    func corrections() async throws {
        let own: [Baton_App_V1_SearchableIndexStep] = [.item("1", "", "melanomb zebra")]
        for query in ["melanoma zebra", "zebra melanoma "] {
            let alone = try await found(query, among: own, beside: [])
            #expect(try await found(query, among: own, beside: [.item("m", "Melanoma")]) == alone)
        }
        // Two halves of its own are found all the same.
        #expect(try await found("wifi", among: [.item("2", "", "Wi-Fi")], beside: [.item("m", "wifi")]) == ["2"])
    }

    @Test("An app that has many longer words does not learn whether others have one more")
    func beginnings() async throws {
        let words = "abcdefghijklmno".map { "tumor\($0)\($0)" }.joined(separator: " ")
        let own: [Baton_App_V1_SearchableIndexStep] = [
            .item("1", "", words), .item("2", "", words), .item("3", "", "tumorzz"),
        ]
        for other in [[], [.item("m", "", "tumorpast")]] as [[Baton_App_V1_SearchableIndexStep]] {
            #expect(try await Set(found("tumor", among: own, beside: other)) == ["1", "2", "3"])
        }
    }

    @Test("The order of an app's items does not reveal how often others have a word")
    func order() async throws {
        let own: [Baton_App_V1_SearchableIndexStep] = [
            .item("1", "", "alpha alpha gamma"), .item("2", "", "alpha gamma gamma"),
        ]
        let alone = try await found("alpha gamma", among: own, beside: [])
        for word in ["alpha", "gamma"] {
            let other = (0..<20).map { Baton_App_V1_SearchableIndexStep.item("\($0)", "", word) }
            #expect(try await found("alpha gamma", among: own, beside: other) == alone)
        }
        #expect(Set(alone) == ["1", "2"])
    }
}
