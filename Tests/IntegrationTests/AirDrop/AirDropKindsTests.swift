import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Items that an app may hand to AirDrop: a real share sheet, and real daemons.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AirDropKindsTests {
        /// Answers the next question that an app asks with the option of that title.
        private func answer(_ title: String, on device: TestDevice) async throws {
            let client = device.client
            let news = try await within(.seconds(20), "the question with “\(title)”") {
                for try await news in try await client.serverStream(ControlMethods.watchQuestions, .init())
                where news.hasQuestion && news.question.options.contains(where: { $0.title == title }) { return news }
                throw IntegrationFailure("The questions ended.")
            }
            let number = try #require(news.question.options.firstIndex { $0.title == title })
            try await device.baton("answer", "\(news.questionID)", "\(number + 1)")
        }

        @Test(
            "a text, a link, and an item that is made once AirDrop is chosen go from a share sheet to the other device (A-5)"
        )
        func kinds() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                try await household.install(.shareSheet, on: [sender])
                try await receiver.baton("settings", "set", "airdrop-own-devices", "accept")
                let browser = try await RecordingBrowser(receiver, in: household)
                let app = try FileFollower("\(sender.locations.appLogs)/com.example.ShareSheet.log")
                for url in [
                    "sharesheet:text?Hello%20there", "sharesheet:url?https%3A%2F%2Fexample.com%2Fpage",
                    "sharesheet:source?Late",
                ] {
                    let start = app.lines.count
                    try await sender.baton("open", url)
                    try await answer("AirDrop", on: sender)
                    try await answer("\(receiver.name) (your device)", on: sender)
                    try await within(.seconds(20), "the end of the sheet for \(url)") {
                        try await app.lines.expect(from: start) {
                            $0.hasPrefix("completed com.apple.UIKit.activity.AirDrop") ? $0 : nil
                        }
                    }
                }
                let downloads = receiver.home + "/Downloads"
                try await receiver.until("both texts to come") {
                    let names = try FileManager.default.contentsOfDirectory(atPath: downloads)
                    let texts = try names.map { try String(contentsOfFile: "\(downloads)/\($0)", encoding: .utf8) }
                    return Set(texts) == ["Hello there", "Late, by com.apple.UIKit.activity.AirDrop"]
                }
                try await receiver.until("the page to be opened") { browser.pages == ["1 https://example.com/page"] }
            }
        }
    }
}
