import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// The share sheet and scenes: the example, a real daemon, the command line, a terminal.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SharingTests {
        private func printed(
            _ bundle: TestBundle, on device: TestDevice
        ) throws -> (FileFollower, (String) async throws -> Void) {
            let file = try FileFollower("\(device.locations.appLogs)/\(bundle.identifier).log")
            let lines = file.lines
            return (
                file,
                { text in
                    try await within(.seconds(20), "the app to print “\(text)”") {
                        guard try await lines.first({ $0.contains(text) ? $0 : nil }) != nil else {
                            throw IntegrationFailure("The app's log ended before “\(text)”.")
                        }
                    }
                }
            )
        }

        /// The question that an app asks, once it does.
        private func question(
            _ kind: Baton_App_V1_Question.Kind, on device: TestDevice
        ) async throws -> Baton_Control_V1_QuestionNews {
            let client = device.client
            return try await within(.seconds(20), "the app's question") {
                for try await news in try await client.serverStream(ControlMethods.watchQuestions, .init())
                where news.hasQuestion && news.question.kind == kind { return news }
                throw IntegrationFailure("The questions ended.")
            }
        }

        private struct Questions: Decodable {
            struct Question: Decodable {
                var questionId: UInt64
                var bundleId: String
                var kind: String
                var options: [String]
            }
            var questions: [Question]
        }

        @Test(
            "an app that a URL launched shows the share sheet; a picture goes to the app for its type, a text into a folder (A-2, A-3, A-4, A-6, A-7, A-11, S-17)"
        )
        func sheet() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let team = try await household.makeTeam()
                try await household.install(.shareSheet, team: team)
                try await household.install(.pngViewer, team: team)
                let (log, prints) = try printed(.shareSheet, on: device)
                let (_, viewerPrints) = try printed(.pngViewer, on: device)

                // Cold: the scene has the URL when it is connected, and gets it once (U-12, U-14).
                try await device.baton("open", "sharesheet:picture")
                try await prints("launched for sharesheet:picture")
                try await prints("presented, pointing at its screen")
                let first = try await question(.shareSheet, on: device)
                let listed = try await device.baton("questions").decode(Questions.self).questions
                #expect(listed.map(\.questionId) == [first.questionID])
                let options = try #require(listed.first).options
                #expect(listed.first?.bundleId == "com.example.ShareSheet" && listed.first?.kind == "share_sheet")
                // The app's own activity is for texts, and Print is excluded.
                #expect(options.contains("Open in PNG Viewer") && options.contains("Save to a Folder"))
                #expect(!options.contains("Print It Out Here") && !options.contains("Print"))
                try await device.baton("answer", "\(first.questionID)", "99", expecting: nil)
                let number = try #require(options.firstIndex(of: "Open in PNG Viewer")) + 1
                try await device.baton("answer", "\(first.questionID)", "\(number)")
                try await viewerPrints("shows Image.png, 1 x 1")
                try await viewerPrints("moved Image.png")
                try await prints("completed development.baton.activity.OpenInApp")

                // Running: the next one comes in scene(_:openURLContexts:) (U-13).
                try await device.baton("open", "sharesheet:text?Hello%20there")
                try await prints("given sharesheet:text?Hello%20there")
                let second = try await question(.shareSheet, on: device)
                let titles = second.question.options.map(\.title)
                #expect(titles.contains("Print It Out Here") && !titles.contains("Open in PNG Viewer"))
                let save = try #require(titles.firstIndex(of: "Save to a Folder")) + 1
                try await device.baton("answer", "\(second.questionID)", "\(save)")
                let third = try await question(.directory, on: device)
                // A confined app writes to its container.
                let folder = device.container(of: "com.example.ShareSheet") + "/Documents/Saved"
                try await device.baton("answer", "\(third.questionID)", folder)
                try await prints("completed development.baton.activity.SaveToFolder")
                #expect(try String(contentsOfFile: folder + "/Text.txt", encoding: .utf8) == "Hello there")

                // The activity that the scene gave for its restoration is there at the next launch.
                try await device.baton("quit", "com.example.ShareSheet")
                try await prints("in the background")
                try await device.baton("open", "sharesheet:text?again")
                try await prints("connected, last shared Hello there")
                let last = try await question(.shareSheet, on: device)
                try await device.baton("answer", "\(last.questionID)")
                try await prints("not completed nothing")
                #expect(log.lines.all.filter { $0 == "launched" }.count == 2)
                #expect(log.lines.all.filter { $0.contains("sharesheet:picture") }.count == 1)
            }
        }

        @Test("a confined app gets a copy of the file that the person picks, and nothing else of it (A-16)")
        func picked() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.shareSheet, team: try await household.makeTeam())
                let folder = try TemporaryDirectory()
                let file = folder.path + "/note.txt"
                try Data("from the person".utf8).write(to: URL(fileURLWithPath: file))
                try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path + "/archive.zip"))
                let container = device.container(of: "com.example.ShareSheet")
                let (_, prints) = try printed(.shareSheet, on: device)
                try await device.baton("open", "sharesheet:pick")
                let first = try await question(.openFile, on: device)
                #expect(first.question.forInbox && first.question.title.hasSuffix("The app gets a copy."))
                // None of the app's types, and a link that the app put into its container: asked again each time.
                try await device.baton("answer", "\(first.questionID)", folder.path + "/archive.zip")
                let second = try await question(.openFile, on: device)
                #expect(second.questionID != first.questionID && second.question.title.contains("archive.zip"))
                let link = container + "/Documents/link.txt"
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
                try await device.baton("answer", "\(second.questionID)", link)
                let third = try await question(.openFile, on: device)
                #expect(third.question.title.contains("link.txt"))
                try await device.baton("answer", "\(third.questionID)", file)
                try await prints("picked note.txt: from the person")
                #expect(FileManager.default.fileExists(atPath: container + "/Documents/Inbox/note.txt"))
                #expect(try String(contentsOfFile: file, encoding: .utf8) == "from the person")
                try await device.baton("quit", "com.example.ShareSheet")
            }
        }

        @Test("at a terminal the sheet is a list, and the choice a number (A-2, A-3, S-17)")
        func terminal() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let program = try Products.path("ShareSheet")
                let app = try ChildProcess(
                    ["script", "--quiet", "--return", "--command", "\(program) text Hello", "/dev/null"],
                    environment: ["BATON_SOCKET": device.locations.socket])
                let lines = app.output
                let number = try await within(.seconds(20), "the sheet") {
                    try await lines.first { line -> String? in
                        let parts = line.split(separator: " ", maxSplits: 1).map {
                            $0.trimmingCharacters(in: .whitespacesAndNewlines)
                        }
                        return parts.last == "Print It Out Here" ? parts.first : nil
                    }?.found
                }
                app.write(try #require(number))
                try await within(.seconds(20), "the end") {
                    #expect(try await app.status() == 0)
                    try await lines.waitForEnd()
                }
                #expect(lines.all.contains { $0.contains("“Hello”") })
                #expect(lines.all.contains { $0.contains("completed com.example.ShareSheet.printOut") })
            }
        }

        @Test(
            "a question is withdrawn when its app ends, and cannot be answered then")
        func withdrawn() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.shareSheet)
                try await device.baton("open", "sharesheet:text?x")
                _ = try await question(.shareSheet, on: device)
                let news = try await device.client.serverStream(ControlMethods.watchQuestions, .init())
                var iterator = news.makeAsyncIterator()
                let put = try await iterator.next()
                try await device.baton("quit", "com.example.ShareSheet")
                while let next = try await iterator.next() {
                    if next.questionID == put?.questionID, !next.hasQuestion { break }
                }
                #expect(try await device.baton("questions").decode(Questions.self).questions.isEmpty)
                let late = try await device.baton("answer", "\(put?.questionID ?? 0)", "1", expecting: nil)
                #expect(late.status != 0)
            }
        }
    }
}
