import WebMarkup

/// A document of JSON-LD, with contexts of its own.
enum ExpansionTarget: FuzzTarget {
    static let name = "json-ld"

    static func seeds() -> [[UInt8]] {
        [
            #"{"@context":"https://schema.org/","@type":"Place","name":"A","geo":{"@type":"GeoCoordinates","latitude":1}}"#,
            """
            {"@context":[{"@base":"http://a/","@vocab":"http://v/","t":{"@id":"x:y","@type":"@id","@container":"@list"}},null,
            {"x":"http://x/"}],"@graph":[{"@id":"_:b","t":["c",{"@value":"d","@language":"en"}],"@reverse":{"r":{"@id":"e"}}}]}
            """,
            #"{"@context":{"a":"b:c","b":"a:d","@language":"de"},"a":{"@set":[{"@list":[[]]}]},"@nest":{"@index":"i"}}"#,
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        var values = 1000
        guard let document = try? JSONReader.value(of: bytes, values: &values).value else { return }
        func expanded() -> Result<[JSONValue], JSONLDError> {
            var options = Expander.Options(base: "https://example.com/a/b")
            options.steps = 100_000
            var expander = Expander(options)
            do throws(JSONLDError) {
                return .success(try expander.expand(document))
            } catch {
                return .failure(error)
            }
        }
        let first = expanded()
        precondition("\(first)" == "\(expanded())", "a document means the same again")
        guard case .success(let nodes) = first else { return }
        // It becomes entities, of which each reference is to one that there is.
        var graph = EntityGraph(nodes)
        graph.resolve()
        for entity in graph.entities {
            for property in entity.properties {
                for index in entity.entities(property.name) { precondition(graph.entities.indices.contains(index)) }
            }
        }
        _ = PlaceFinder.places(in: graph, pageAddress: nil)
    }
}
