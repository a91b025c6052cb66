import BatonCore
import BatonWire
import SwiftProtobuf

/// The steps of one continuation, as reported to the caller that accepted the offer.
struct ContinuationReport: Sendable {
    typealias Event = Baton_Control_V1_ContinuationEvent

    let acceptance: AcceptanceID
    let device: String
    /// Nil when a browser opens the page.
    let app: String?

    var accepted: Event { event(.accepted, .zero, "The offer was accepted.") }

    func event(_ step: ContinuationStep, _ elapsed: Duration) -> Event {
        let app = app ?? "The browser"
        switch step {
        case .launching: return event(.launching, elapsed, "\(app) is being started.")
        case .willContinue: return event(.willContinue, elapsed, "\(app) is getting ready.")
        case .payloadReceived(let bytes):
            return event(.payloadReceived, elapsed, "The activity arrived (\(bytes) bytes).")
        case .continued: return event(.continued, elapsed, "\(app) continued it.")
        case .pageOpened(let page):
            var opened = event(.pageOpened, elapsed, "The page is open in the browser.")
            opened.appName = ""
            opened.pageURL = page.text
            return opened
        case .acknowledged: return event(.acknowledged, elapsed, "\(device) was told.")
        case .notAcknowledged:
            return event(
                .notAcknowledged, elapsed,
                "The activity was continued here, but \(device) could not be notified.")
        case .failed(let failure):
            var last = event(.failed, elapsed, failure.message)
            last.error = .init(failure)
            return last
        }
    }

    private func event(_ step: Event.Step, _ elapsed: Duration, _ message: String) -> Event {
        .with {
            $0.step = step
            $0.acceptanceID = acceptance.rawValue
            $0.elapsed = UInt64(max(0, elapsed / .microseconds(1)))
            $0.message = message
            $0.appName = app ?? ""
            $0.deviceName = device
        }
    }
}
