import SwiftProtobuf

extension Baton_Link_V1_Stage {
    /// One stage of an explanation.
    /// - Parameters:
    ///   - finding: the finding, a whole sentence.
    ///   - advice: the advice; empty when there is nothing to do.
    package init(_ name: String, _ verdict: Verdict, _ finding: String, _ advice: String = "") {
        self.init()
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.advice = advice
    }
}
