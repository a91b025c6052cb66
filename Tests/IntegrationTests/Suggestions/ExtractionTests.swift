import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// What `baton extract` finds in pages, beside another implementation.
    @Suite struct ExtractionTests {
        private static let pages = [
            "article.html", "event.html", "hotel.html", "organization.html", "person.html", "product.html",
            "recipe.html",
            "restaurant.html",
        ]

        // Issue 28, Proof: extruct from PyPI, same objects, side by side.
        @Test("In JSON-LD, microdata and RDFa, extruct finds the same objects (P-34, P-35)")
        func extruct() async throws {
            let support = Products.package + "/Tests/Support"
            let python = Products.package + "/.build/extruct/bin/python"
            guard FileManager.default.isExecutableFile(atPath: python) else {
                throw IntegrationFailure("extruct is missing. Run “dev/setup --tests”.")
            }
            let process = try ChildProcess(
                [python, support + "/compare_extruct.py", Products.path("baton")]
                    + Self.pages.map { "\(support)/pages/\($0)" })
            let status = try await within(.seconds(60), "the comparison") { try await process.status() }
            try await process.output.waitForEnd()
            try await process.errors.waitForEnd()
            #expect(status == 0, "\((process.output.all + process.errors.all).joined(separator: "\n"))")
            // Each page was compared, and has something.
            let counts = process.output.all.map { $0.split(separator: " ") }
            #expect(counts.map { $0.first.map(String.init) } == Self.pages)
            #expect(counts.allSatisfy { Int($0.last ?? "") ?? 0 > 0 })
        }
    }
}
