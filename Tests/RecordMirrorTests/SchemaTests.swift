import GRDB
import RecordMirror
import Testing

/// A schema that cannot sync is refused by a sentence that names table and column (D-1).
@Suite struct SchemaTests {
    private static func problem(_ sql: String, _ tables: [MirrorTable]) throws -> SchemaProblem? {
        try DatabaseQueue().write { db in
            try db.execute(sql: sql)
            do {
                _ = try SchemaReader.read(tables, in: db)
                return nil
            } catch let problem as SchemaProblem {
                return problem
            }
        }
    }

    @Test(
        "each problem is found",
        arguments: [
            ("CREATE TABLE t (a)", SchemaProblem.noPrimaryKey(table: "t")),
            ("CREATE TABLE t (id INTEGER PRIMARY KEY, a)", .integerPrimaryKey(table: "t", column: "id")),
            ("CREATE TABLE t (id TEXT PRIMARY KEY, a UNIQUE)", .undeclaredUnique(table: "t", columns: ["a"])),
            (
                "CREATE TABLE t (id TEXT PRIMARY KEY, a); CREATE UNIQUE INDEX i ON t (a) WHERE a > 1",
                .undeclaredUnique(table: "t", columns: ["a"])
            ),
            (
                "CREATE TABLE t (id TEXT PRIMARY KEY, a); CREATE UNIQUE INDEX i ON t (lower(a))",
                .undeclaredUnique(table: "t", columns: ["an expression"])
            ),
            (
                "CREATE TABLE u (id TEXT PRIMARY KEY); CREATE TABLE t (id TEXT PRIMARY KEY, a REFERENCES u)",
                .referenceOutside(table: "t", columns: ["a"], target: "u")
            ),
            (
                "CREATE TABLE t (id TEXT PRIMARY KEY, k UNIQUE, a REFERENCES t (k))",
                .referenceBesideKey(table: "t", columns: ["a"], target: "t")
            ),
            (
                "CREATE TABLE t (id TEXT PRIMARY KEY, a, b AS (lower(a)) UNIQUE)",
                .generatedColumn(table: "t", column: "b")
            ),
            (
                "CREATE TABLE t (id TEXT PRIMARY KEY, a, b AS (lower(a)) REFERENCES t)",
                .generatedColumn(table: "t", column: "b")
            ),
            ("CREATE TABLE t (id TEXT PRIMARY KEY, _a)", .reservedName(table: "t", column: "_a")),
            ("CREATE TABLE t (id TEXT PRIMARY KEY, \"a b\")", .reservedName(table: "t", column: "a b")),
            ("CREATE VIEW t AS SELECT 1 AS id", .noSuchTable(table: "t")),
            ("CREATE TABLE u (a)", .noSuchTable(table: "t")),
        ])
    func problems(sql: String, expected: SchemaProblem) throws {
        let found = try Self.problem(sql, [MirrorTable("t")])
        #expect(found == expected)
        #expect(found?.sentence.contains("“t”") == true)
    }

    @Test("columns that are named must be there, and table names that are the mirror's are refused")
    func names() throws {
        #expect(
            try Self.problem("CREATE TABLE t (id TEXT PRIMARY KEY)", [MirrorTable("t", local: ["b"])])
                == .noSuchColumn(table: "t", column: "b"))
        #expect(
            try Self.problem(
                "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT NOT NULL UNIQUE)",
                [MirrorTable("t", unique: [.init(columns: ["a"], collision: .clear)])])
                == .nothingToClear(table: "t", columns: ["a"]))
        #expect(
            try Self.problem("CREATE TABLE baton_x (id TEXT PRIMARY KEY)", [MirrorTable("baton_x")])
                == .reservedName(table: "baton_x", column: nil))
    }

    @Test("self-references, circles, keys of several columns, generated columns and declared unique indexes are fine")
    func fine() throws {
        let sql = """
            CREATE TABLE a (id TEXT PRIMARY KEY, parent REFERENCES a (id), b REFERENCES b);
            CREATE TABLE b (id TEXT PRIMARY KEY, a REFERENCES a, n TEXT COLLATE NOCASE UNIQUE, g AS (n || 'x'), d DEFAULT 'it''s');
            CREATE TABLE c (x INTEGER, y TEXT, z, PRIMARY KEY (x, y), UNIQUE (x, y, z)) WITHOUT ROWID;
            """
        let tables = [
            MirrorTable("a"), MirrorTable("b", unique: [.init(columns: ["n"], collision: .clear)]), MirrorTable("c"),
        ]
        let shapes = try DatabaseQueue().write { db in
            try db.execute(sql: sql)
            return try SchemaReader.read(tables, in: db)
        }
        #expect(shapes.map { $0.columns.map(\.name) } == [["parent", "b"], ["a", "n", "d"], ["z"]])
        #expect(shapes[1].columns[1].collation == .nocase)
        #expect(shapes[1].columns[2].defaultLiteral == "it's".databaseValue)
        #expect(shapes[2].key.map(\.name) == ["x", "y"] && shapes[2].unique.isEmpty)
    }
}
