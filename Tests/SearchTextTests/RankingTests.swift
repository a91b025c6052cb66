import SearchText
import Testing

@Suite("Ranking and spelling")
struct RankingTests {
    private let parameters = RankingParameters(fieldWeights: [2, 1])
    private let statistics = CollectionStatistics(documents: 1000, averageLengths: [4, 100])

    private func scores(_ documents: [RankedDocument]) -> [Double] {
        let terms = [QueryTerm(documents: 10), QueryTerm(documents: 500)]
        return Ranking(terms, sequence: [0, 1], parameters: parameters, statistics: statistics)
            .scores(documents.count) { documents[$0] }.map(\.total)
    }

    private func document(_ hits: [TermHit], lengths: [Int] = [4, 100]) -> RankedDocument {
        RankedDocument(id: 1, lengths: lengths, hits: hits)
    }

    @Test("A rare word counts more than a frequent one, and one in the title more than one in the text")
    func words() {
        let scores = scores([
            document([TermHit(term: 0, field: 0, position: 0)]), document([TermHit(term: 0, field: 1, position: 0)]),
            document([TermHit(term: 1, field: 1, position: 0)]),
        ])
        #expect(scores[0] > scores[1])
        #expect(scores[1] > scores[2])
    }

    @Test("A word in a long text counts less, and its repetition less each time")
    func lengths() {
        func hits(_ count: Int) -> [TermHit] { (0..<count).map { TermHit(term: 0, field: 1, position: $0 * 20) } }
        let scores = scores([
            document(hits(1)), document(hits(1), lengths: [4, 1000]), document(hits(2)), document(hits(3)),
        ])
        #expect(scores[0] > scores[1])
        #expect(scores[2] - scores[0] > scores[3] - scores[2])
    }

    @Test("Words side by side in their order come before the same words near each other, and those before distant ones")
    func adjacency() {
        func hits(_ first: Int, _ second: Int) -> [TermHit] {
            [TermHit(term: 0, field: 1, position: first), TermHit(term: 1, field: 1, position: second)]
                .sorted { $0.position < $1.position }
        }
        let scores = scores([document(hits(5, 6)), document(hits(5, 9)), document(hits(5, 60)), document(hits(6, 5))])
        #expect(scores[0] > scores[1])
        #expect(scores[1] > scores[2])
        #expect(scores[0] > scores[3])
    }

    @Test("Hits of terms and fields that there are not are left out")
    func hostile() {
        let strange = document(
            [
                TermHit(term: 9, field: 0, position: 0), TermHit(term: 0, field: 7, position: 0),
                TermHit(term: -1, field: -1, position: -5),
            ],
            lengths: [])
        #expect(scores([strange]) == [0])
    }

    @Test("Feedback gives the words with the largest share in the best documents")
    func feedback() {
        var feedback = Feedback()
        func words(_ text: String) -> [[UInt8]] { text.split(separator: " ").map { Array($0.utf8) } }
        feedback.add(words("wing slipstream wing"), score: 10)
        feedback.add(words("wing plate"), score: 1)
        feedback.add([], score: 5)
        let best = feedback.words(2)
        #expect(best.map { String(decoding: $0.word, as: UTF8.self) } == ["wing", "slipstream"])
        #expect(best[0].share > best[1].share)
    }

    @Test("Letters that are added, removed, replaced or exchanged count one each")
    func distance() {
        func distance(_ left: String, _ right: String, limit: Int = 2) -> Int? {
            EditDistance.between(Array(left.utf8), Array(right.utf8)[...], limit: limit)
        }
        #expect(distance("restaurant", "restaurant") == 0)
        #expect(distance("restuarant", "restaurant") == 1)
        #expect(distance("restaurnt", "restaurant") == 1)
        #expect(distance("rxstaurent", "restaurant") == 2)
        #expect(distance("abc", "xyz") == nil)
        #expect(distance("", "ab") == 2)
        #expect(distance("abcdef", "ab") == nil)
    }

    @Test("A mistyped word finds the nearest words, the frequent first; short words are left as they are")
    func vocabulary() {
        var vocabulary = Vocabulary()
        for (word, documents) in [
            ("restaurant", 9), ("restaurants", 2), ("rest", 30), ("cat", 5), ("car", 8), ("can", 1), ("at", 4),
        ] {
            vocabulary.add(Array(word.utf8), documents: documents)
        }
        func nearest(_ word: String) -> [String] {
            vocabulary.nearest(to: Array(word.utf8)).map { String(decoding: $0.word, as: UTF8.self) }
        }
        #expect(nearest("restuarant") == ["restaurant", "restaurants"])
        #expect(nearest("cay") == ["car", "cat", "can"])
        #expect(nearest("ct").isEmpty)
        #expect(nearest("zzzzzzzz").isEmpty)
    }

    @Test("A word is found at the end of longer ones, the frequent first")
    func endings() {
        var vocabulary = Vocabulary()
        for (word, documents) in [
            ("kasekuchen", 1), ("apfelkuchen", 3), ("kuchentisch", 9), ("mkuchen", 9), ("kuchen", 9), ("backkuche", 9),
        ] {
            vocabulary.add(Array(word.utf8), documents: documents)
        }
        func ending(_ word: String, limit: Int = 3) -> [String] {
            vocabulary.ending(in: Array(word.utf8), limit: limit).map { String(decoding: $0.word, as: UTF8.self) }
        }
        #expect(ending("kuchen") == ["apfelkuchen", "kasekuchen"])
        #expect(ending("kuchen", limit: 1) == ["apfelkuchen"])
        #expect(ending("chen").isEmpty)
    }

    @Test("A letter counts one in every script, and two characters of Chinese are no mistyped word")
    func letters() {
        var vocabulary = Vocabulary()
        for word in ["москва", "вокзал", "встреча", "東京", "北京", "서울", "αθηνα"] {
            vocabulary.add(Array(word.utf8), documents: 1)
        }
        func nearest(_ word: String) -> [String] {
            vocabulary.nearest(to: Array(word.utf8)).map { String(decoding: $0.word, as: UTF8.self) }
        }
        // Exchanged, left out, added, replaced.
        #expect(nearest("мосвка") == ["москва"])
        #expect(nearest("вокал") == ["вокзал"])
        #expect(nearest("встречаа") == ["встреча"])
        #expect(nearest("αθηνη") == ["αθηνα"])
        // Two letters of a word of six.
        #expect(nearest("масква") == ["москва"])
        #expect(nearest("маскве").isEmpty)
        #expect(nearest("東亭").isEmpty)
        #expect(nearest("南京").isEmpty)
        #expect(nearest("서욹").isEmpty)
    }
}
