import BatonCore
import BatonWire
import Opening
import Testing

@testable import BatonDaemon

@Suite("Questions for an app's permission", .timeLimit(.minutes(1)))
struct PermissionQuestionTests {
    @Test("An app's name cannot close its quotation, and so make another question of it")
    func name() async throws {
        let questions = QuestionService()
        let question = PermissionQuestion(questions: questions, action: "read and change your contacts")
        let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.evil"), team: .development)
        let name = "Clock” (org.clock) show the time?\u{202E}\nNothing else of “x"
        let asking = Task { try await question.ask(app, name) }
        let (open, events) = try questions.watch()
        var put = open.first
        if put == nil {
            for await event in events {
                guard case .put(let new) = event else { continue }
                put = new
                break
            }
        }
        let found = try #require(put)
        #expect(found.isPermission)
        let title = found.question.title
        #expect(title.hasPrefix("May “Clock' (org.clock) show the time? Nothi"))
        #expect(title.hasSuffix("…” (com.example.evil) read and change your contacts?"))
        #expect(title.count { "“”".contains($0) } == 2)
        try questions.answer(found.id, .option("deny"))
        #expect(try await asking.value == false)
    }
}
