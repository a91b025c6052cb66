import Testing
import WebMarkup

@testable import BatonCommands

@Suite struct PageReportTests {
    @Test func `Things that refer to each other in layers are shown once each, and then only named`() throws {
        let (width, layers) = (6, 9)
        let nodes = (0..<width * layers).map { place in
            let next = (0..<width).map { ##"{"@id":"#\##((place / width + 1) * width + $0)"}"## }.joined(separator: ",")
            return ##"{"@id":"#\##(place)","name":"N","hasPart":[\##(next)]}"##
        }
        let page = ##"{"@context":"https://schema.org","@graph":[\##(nodes.joined(separator: ","))]}"##
        let report = PageReport(try PageExtractor.extract(Array(page.utf8), address: nil))
        // With each way to each thing there would be 10 million names.
        let text = report.json.description
        #expect(text.contains(##""id":"#53""##))
        #expect(text.utf8.count < 30_000_000)
    }
}
