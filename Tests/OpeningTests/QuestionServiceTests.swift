import BatonConcurrency
import BatonCore
import BatonWire
import Opening
import SwiftProtobuf
import Synchronization
import Testing

/// Questions of apps without a terminal.
@Suite(.timeLimit(.minutes(1))) struct QuestionServiceTests {
    private func sheet(_ options: String...) -> Baton_App_V1_Question {
        .with {
            $0.kind = .shareSheet
            $0.title = "Share"
            $0.options = options.enumerated().map { number, title in
                .with {
                    $0.id = "\(number)"
                    $0.title = title
                }
            }
        }
    }

    private func app(_ text: String = "com.example.app") throws -> BundleID { try BundleID(validating: text) }

    @Test("a question is told to whoever watches, answered once, and gone then (A-2)")
    func answers() async throws {
        let service = QuestionService()
        let answers = try service.ask(sheet("Copy", "Mail"), from: try app(), named: "App")
        let (open, events) = try service.watch()
        let id = try #require(open.first).id
        #expect(open.count == 1 && open[0].appName == "App")
        // The numbers of an earlier daemon, which a person may still read on their terminal, are not used again from 1.
        #expect(id > 100)
        // An answer that is not one of its own changes nothing.
        for wrong in [QuestionAnswer.option("2"), .text("/tmp")] {
            #expect(throws: BatonError.self) { try service.answer(id, wrong) }
        }
        try service.answer(id, .option("1"))
        var received: [QuestionAnswer] = []
        for await answer in answers { received.append(answer) }
        #expect(received == [.option("1")])
        #expect(throws: BatonError.self) { try service.answer(id, .option("1")) }
        for await event in events {
            if case .gone(let gone) = event {
                #expect(gone == id)
                break
            }
        }
        #expect(try service.watch().open.isEmpty)
    }

    @Test("a question goes to the desktop while nobody watches, and once the last watcher has left (A-2)")
    func unwatched() async throws {
        let service = QuestionService()
        var events = service.unwatched().makeAsyncIterator()
        let first = try service.ask(sheet("Copy"), from: try app(), named: "App")
        guard case .put(let put) = await events.next() else {
            Issue.record("The question was not put.")
            return
        }
        let id = try #require(try service.watch().open.first).id
        #expect(put.id == id)
        try service.answer(id, .cancelled)
        guard case .gone(id) = await events.next() else {
            Issue.record("The question is not gone.")
            return
        }
        // There is a watcher now.
        let second = try service.ask(sheet("Copy"), from: try app(), named: "Watched")
        service.stopWatching()
        guard case .put(let left) = await events.next() else {
            Issue.record("The question was not left to the desktop.")
            return
        }
        #expect(left.appName == "Watched")
        _ = (first, second)
    }

    @Test("a question whose app is gone is withdrawn")
    func withdrawn() async throws {
        let service = QuestionService()
        let asking = Task { [app = try app(), sheet = sheet("Copy")] in
            for await _ in try service.ask(sheet, from: app, named: "App") {}
        }
        var (open, events) = try service.watch()
        if open.isEmpty {
            for await event in events {
                guard case .put(let question) = event else { continue }
                open = [question]
                break
            }
        }
        #expect(open.count == 1)
        asking.cancel()
        _ = try await asking.value
        #expect(try service.watch().open.isEmpty)
        _ = events
        events = AsyncStream { $0.finish() }
    }

    @Test("questions that cannot be answered, and too many of them, are refused whole")
    func refused() throws {
        let service = QuestionService()
        var malformed = [Baton_App_V1_Question(), sheet()]
        malformed.append(sheet("a"))
        malformed[0].title = String(repeating: "x", count: 5000)
        malformed[2].options.append(malformed[2].options[0])
        for question in malformed {
            #expect(throws: BatonError.self) { try service.ask(question, from: try app(), named: "") }
        }
        var waiting: [AsyncStream<QuestionAnswer>] = []
        for _ in 0..<4 { waiting.append(try service.ask(sheet("a"), from: try app(), named: "")) }
        #expect(throws: BatonError.self) { try service.ask(sheet("a"), from: try app(), named: "") }
        waiting.append(try service.ask(sheet("a"), from: try app("com.example.other"), named: ""))
        #expect(try service.watch().open.count == 5)
    }

    @Test("an app that asks and withdraws without end is slowed down, and no other one for it")
    func rate() throws {
        let time = Mutex(Duration.zero)
        let service = QuestionService(clock: MomentClock { Timestamp(time.withLock { $0 }, wall: 0) })
        func asked(_ name: String) throws -> Int {
            let name = try app(name)
            // Withdrawn at once.
            return (0..<1000).count { _ in (try? service.ask(sheet("a"), from: name, named: "")) != nil }
        }
        #expect(try asked("com.example.app") == 30)
        #expect(try asked("com.example.other") == 30)
        time.withLock { $0 += .seconds(5) }
        #expect(try asked("com.example.app") == 5)
        #expect(try service.watch().open.isEmpty)
    }

    @Test("an app gets nothing but the copy of a picked file; what cannot be copied is asked again (A-16)")
    func picks() async throws {
        let service = QuestionService()
        let question = Baton_App_V1_Question.with {
            $0.kind = .openFile
            $0.title = String(repeating: "x", count: 4000)
            $0.suggestion = "/home/x/.ssh/id_rsa"
            $0.forInbox = true
            $0.contentTypes = ["public.text"]
        }
        let pick = PickQuestion(question, app: try app(), name: "App")
        #expect(pick.shown().suggestion.isEmpty && pick.shown().title.utf8.count < 200)
        #expect(pick.shown().title.hasSuffix("The app gets a copy."))
        let (_, events) = try service.watch()
        let person = Task {
            var titles: [String] = []
            for await event in events {
                guard case .put(let put) = event else { continue }
                titles.append(put.question.title)
                try service.answer(put.id, .text(titles.count == 1 ? "/secret" : "/note.txt"))
                if titles.count == 2 { break }
            }
            return titles
        }
        var told: [Baton_App_V1_AskPersonResponse] = []
        try await pick.put(
            to: service,
            copy: { path, _, types in
                #expect(types == ["public.text"])
                guard path == "/note.txt" else {
                    throw BatonError(.failedPrecondition, reason: "file_unreadable", "“\(path)” cannot be read.")
                }
                return "/inbox/note.txt"
            }, write: { told.append($0) })
        #expect(told == [.init(), .with { $0.inboxPath = "/inbox/note.txt" }])
        #expect(try await person.value.last?.hasPrefix("“/secret” cannot be read. Name another file.") == true)
    }

    @Test("only a file can be for an Inbox")
    func inboxKinds() throws {
        let service = QuestionService()
        var question = sheet("Copy")
        question.forInbox = true
        #expect(throws: BatonError.self) { _ = try service.ask(question, from: try app(), named: "App") }
    }
}
