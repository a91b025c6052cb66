import RecordMerge
import Testing

@Suite("Records")
struct RecordTests {
}
