import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// The control service's method for notices.
package struct NoticesHarness: Sendable {
    private let service: NoticeService

    package init(service: NoticeService) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.serverStream(ControlMethods.watchNotices) { [service] _, _, writer in
            for await event in try service.watch() { try await writer.write(.init(event)) }
            try Task.checkCancellation()
            throw BatonError(
                .resourceExhausted, reason: "left_behind",
                "The notices were not read in time, or the daemon is shutting down. Watch again.")
        }
    }
}

extension Baton_Control_V1_Notice {
    init(_ event: NoticeService.Event) {
        self.init()
        switch event {
        case .closed(let id):
            noticeID = id
            kind = .withdrawn
        case .shown(let notice):
            noticeID = notice.id
            kind =
                switch notice.kind {
                case .offer: .offer
                case .continuing: .continuing
                case .failed: .failed
                case .question: .question
                case .receiving: .receiving
                case .received: .received
                case .suggestion: .suggestion
                case .reminder: .reminder
                case .prediction: .prediction
                }
            title = notice.title
            body = notice.lines.joined(separator: "\n")
            offerID = notice.offer?.rawValue ?? ""
            acceptanceID = notice.acceptance?.rawValue ?? ""
            transferID = notice.question ?? ""
            placeID = notice.place ?? ""
            reminderID = notice.reminder ?? ""
            predictionID = notice.prediction ?? ""
            predictionPlays = notice.plays
        }
    }
}
