import CIBus
import InputMethod

/// An engine of IBus: a field after the other, and the keys that go there.
@MainActor
final class IBusField {
    typealias Raw = UnsafeMutableRawPointer

    private let engine: OpaquePointer
    private let questions: Questions
    private var field = InputField()

    private init(_ engine: OpaquePointer, _ questions: Questions) {
        self.engine = engine
        self.questions = questions
    }

    /// The signals keep it until the engine goes.
    static func follow(_ engine: OpaquePointer, _ questions: Questions) {
        let field = IBusField(engine, questions)
        let pressed: @convention(c) (Raw?, UInt32, UInt32, UInt32, Raw?) -> Int32 = { _, key, _, state, data in
            IBusField.with(data) { $0.pressed(key, state) } == true ? 1 : 0
        }
        IBusRun.connect(
            engine, "process-key-event", unsafeBitCast(pressed, to: IBusRun.Callback.self), field, isAfter: true)
        let told: @convention(c) (Raw?, Raw?, UInt32, UInt32, Raw?) -> Void = { _, text, cursor, anchor, data in
            let text = text.flatMap { ibus_text_get_text(OpaquePointer($0)) }.map { String(cString: $0) } ?? ""
            IBusField.with(data) { $0.told(text, before: min(cursor, anchor)) }
        }
        IBusRun.connect(engine, "set-surrounding-text", unsafeBitCast(told, to: IBusRun.Callback.self), field)
        let entered: @convention(c) (Raw?, Raw?) -> Void = { _, data in IBusField.with(data) { $0.entered() } }
        let left: @convention(c) (Raw?, Raw?) -> Void = { _, data in IBusField.with(data) { $0.left() } }
        let reset: @convention(c) (Raw?, Raw?) -> Void = { _, data in IBusField.with(data) { $0.reset() } }
        for (signal, callback) in [
            ("focus-in", entered), ("enable", entered), ("focus-out", left), ("disable", left), ("reset", reset),
        ] {
            IBusRun.connect(engine, signal, unsafeBitCast(callback, to: IBusRun.Callback.self), field)
        }
    }

    /// C calls on the main thread, where its loop runs.
    @discardableResult
    private nonisolated static func with<Result: Sendable>(
        _ data: Raw?, _ body: @MainActor (IBusField) -> Result
    ) -> Result? {
        guard let data else { return nil }
        let field = Unmanaged<IBusField>.fromOpaque(data).takeUnretainedValue()
        return MainActor.assumeIsolated { body(field) }
    }

    // MARK: What comes

    private func entered() {
        perform(field.left())
        // Says that what is before the cursor is wanted.
        ibus_engine_get_surrounding_text(engine, nil, nil, nil)
    }

    private func left() { perform(field.left()) }

    private func reset() { perform(field.reset()) }

    /// - Parameter cursor: characters of the text before it.
    private func told(_ text: String, before cursor: UInt32) {
        if isSilent { return left() }
        perform(field.told(String(String.UnicodeScalarView(text.unicodeScalars.prefix(Int(cursor))))))
    }

    private func pressed(_ key: UInt32, _ state: UInt32) -> Bool {
        if isSilent {
            left()
            return false
        }
        guard let key = InputField.Key(value: key, state: state, character: ibus_keyval_to_unicode(key)) else {
            return false
        }
        let (isTaken, effects) = field.pressed(key)
        perform(effects)
        return isTaken
    }

    private var isSilent: Bool {
        var (purpose, hints): (UInt32, UInt32) = (0, 0)
        ibus_engine_get_content_type(engine, &purpose, &hints)
        return FieldPurpose.isSilent(purpose: purpose, hints: hints)
    }

    // MARK: What follows

    private func perform(_ effects: [InputField.Effect]) {
        for effect in effects {
            switch effect {
            case .ask(let number):
                questions.ask { [weak self] offer in
                    guard let self else { return }
                    perform(field.answered(number, offer))
                }
            case .show(let offer):
                ibus_engine_update_auxiliary_text(engine, ibus_text_new_from_string(offer.shown), 1)
            case .hide: ibus_engine_hide_auxiliary_text(engine)
            case .insert(let text): ibus_engine_commit_text(engine, ibus_text_new_from_string(text))
            }
        }
    }
}
