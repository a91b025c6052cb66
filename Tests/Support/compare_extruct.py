"""Compares what `baton extract --expanded` finds in pages with what extruct, another implementation, finds in them.

    compare_extruct.py BATON PAGE...

Prints a line for each page: its name, and how many objects both found in it. Where they differ, both are printed, and it
ends with 1. To be run by the Python of the environment that has extruct."""

import json
import os
import subprocess
import sys

import extruct

ADDRESS = "https://example.com/pages/page"
VOCABULARIES = ("http://schema.org/", "https://schema.org/")


def short(name):
    for vocabulary in VOCABULARIES:
        if name.startswith(vocabulary):
            return name[len(vocabulary):]
    return name


def plain(value):
    """A text or an address, as one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(short(str(value)).split())


class Objects:
    """Objects by identifier, from either implementation; equal ones are equal texts."""

    def __init__(self):
        self.nodes = {}
        self.named = set()

    def node(self, identifier):
        if identifier is None:
            identifier = f"_:{len(self.nodes)}-own"
        return identifier, self.nodes.setdefault(identifier, {"types": set(), "properties": {}})

    def add(self, identifier, types, properties):
        identifier, node = self.node(identifier)
        node["types"].update(short(name) for name in types)
        for name, value in properties:
            node["properties"].setdefault(short(name), []).append(value)
            if isinstance(value, Reference):
                self.named.add(value.identifier)
        return Reference(identifier)

    def text(self, identifier):
        node = self.nodes[identifier]
        values = {
            name: sorted(self.value(value) for value in values) for name, values in sorted(node["properties"].items())
        }
        own = {} if identifier.startswith("_:") else {"id": identifier}
        return json.dumps({**own, "types": sorted(node["types"]), **values}, ensure_ascii=False, sort_keys=True)

    def value(self, value):
        if not isinstance(value, Reference):
            return plain(value)
        return self.text(value.identifier) if value.identifier.startswith("_:") else value.identifier

    def roots(self):
        """Those with an identifier, and those that are part of no other."""
        return sorted(
            self.text(identifier)
            for identifier, node in self.nodes.items()
            if (node["types"] or node["properties"]) and not (identifier.startswith("_:") and identifier in self.named))


class Reference:
    def __init__(self, identifier):
        self.identifier = identifier


def elements(value):
    return value if isinstance(value, list) else [value]


def add_expanded(node, objects):
    """A node of expanded JSON-LD."""
    properties = []
    for name, values in node.items():
        if name.startswith("@") or name == "http://www.w3.org/ns/rdfa#usesVocabulary":
            continue
        for value in values:
            if "@value" in value:
                properties.append((name, value["@value"]))
            elif set(value) == {"@id"} and not value["@id"].startswith("_:"):
                properties.append((name, value["@id"]))
            elif set(value) == {"@id"}:
                properties.append((name, Reference(value["@id"])))
            else:
                properties.append((name, add_expanded(value, objects)))
    return objects.add(node.get("@id"), node.get("@type", []), properties)


def add_script(node, objects):
    """An object as a script of JSON-LD has it, in the terms of schema.org."""
    if "@graph" in node:
        for part in node["@graph"]:
            add_script(part, objects)
        return None
    properties = []
    for name, values in node.items():
        for value in [] if name.startswith("@") else elements(values):
            if isinstance(value, dict) and set(value) == {"@id"}:
                value = value["@id"]
            properties.append((name, add_script(value, objects) if isinstance(value, dict) else value))
    return objects.add(node.get("@id"), elements(node.get("@type", [])), properties)


def add_item(item, objects):
    """An item of microdata."""
    properties = [
        (name, add_item(value, objects) if isinstance(value, dict) else value)
        for name, values in item["properties"].items()
        for value in elements(values)
    ]
    return objects.add(item.get("id"), elements(item.get("type", [])), properties)


def theirs(page):
    found = extruct.extract(page, base_url=ADDRESS, syntaxes=["json-ld", "microdata", "rdfa"])
    roots = []
    for syntax, add in [("json-ld", add_script), ("microdata", add_item), ("rdfa", add_expanded)]:
        objects = Objects()
        for node in found[syntax]:
            add(node, objects)
        roots += objects.roots()
    return sorted(roots)


def ours(baton, path):
    done = subprocess.run(
        [baton, "extract", path, "--expanded", "--base", ADDRESS], capture_output=True, text=True, check=True)
    objects = Objects()
    # Numbers as they are written.
    for node in json.loads(done.stdout, parse_float=str, parse_int=str):
        add_expanded(node, objects)
    return objects.roots()


def main():
    baton, *pages = sys.argv[1:]
    differ = False
    for path in sorted(pages):
        with open(path, encoding="utf-8") as file:
            expected = theirs(file.read())
        found = ours(baton, path)
        print(os.path.basename(path), len(found))
        if found != expected:
            differ = True
            print("  baton:", *found, "  extruct:", *expected, sep="\n")
    sys.exit(1 if differ else 0)


main()
