#!/usr/bin/env python3
"""Makes documents for the tests of search: search_documents.py FOLDER

Those of office programs are written by the libraries python3-docx, python3-odf and python3-openpyxl. The rest is by hand, with the
standard library. In `hostile` is what a reader must survive.
"""

import datetime
import email.message
import hashlib
import pathlib
import struct
import sys
import zipfile
import zlib

import docx
import odf.dc
import odf.meta
import odf.opendocument
import odf.table
import odf.text
import openpyxl

FOLDER = pathlib.Path(sys.argv[1])
HOSTILE = FOLDER / "hostile"


def archive(path, parts, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, text in parts.items():
            file.writestr(name, text)


def large(path, parts):
    """The same, with all numbers in 64 bits."""
    data, entries = bytearray(), bytearray()
    for name, text in parts.items():
        packed = zlib.compress(text.encode(), wbits=-15)
        # The part's own, and after the sizes the place of its head.
        fields = struct.pack("<QQ", len(text), len(packed))
        sizes = struct.pack("<HHHLLL", 8, 0, 0, zlib.crc32(text.encode()), 2**32 - 1, 2**32 - 1)
        head = b"PK\3\4" + struct.pack("<HH", 45, 0) + sizes + struct.pack("<HH", len(name), 20)
        place = len(data)
        data += head + name.encode() + struct.pack("<HH", 1, 16) + fields + packed
        entries += b"PK\1\2" + struct.pack("<HHH", 45, 45, 0) + sizes + struct.pack(
            "<HHHHHLL", len(name), 36, 0, 0, 0, 0, 2**32 - 1)
        entries += name.encode() + struct.pack("<HHL", 99, 4, 0) + struct.pack("<HH", 1, 24) + fields + struct.pack("<Q", place)
    start = len(data)
    end = struct.pack("<LLQQQQ", 0, 0, len(parts), len(parts), len(entries), start)
    data += entries + b"PK\6\6" + struct.pack("<QHH", 44, 45, 45) + end
    data += b"PK\6\7" + struct.pack("<LQL", 0, start + len(entries), 1)
    data += b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0)
    path.write_bytes(data)
    with zipfile.ZipFile(path) as file:
        assert {name: file.read(name).decode() for name in parts} == parts


# --- Office programs --------------------------------------------------------------------------------------------------

def letter():
    document = docx.Document()
    document.core_properties.title = "Harbour fees"
    document.core_properties.author = "Ada Quayside"
    document.core_properties.keywords = "mooring"
    paragraph = document.add_paragraph("The pel")
    # A word of two runs.
    paragraph.add_run("ican").bold = True
    paragraph.add_run(" lands & rests.")
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text = "Left"
    table.rows[0].cells[1].text = "Right"
    document.sections[0].header.paragraphs[0].text = "Letterhead"
    document.save(FOLDER / "Letter.docx")


def budget():
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.append(["Seagull feed", 4711, "Zürich"])
    sheet["A2"] = '="formula"&"text"'
    sheet.title = "Gulls & terns"
    for row, (value, code) in enumerate([
            (datetime.datetime(2026, 3, 12), "dd/mm/yyyy"), (datetime.datetime(2026, 3, 12, 14, 30), "d. mmm yy hh:mm"),
            (datetime.time(9, 5), "h:mm AM/PM"), (datetime.timedelta(hours=30), "[h]:mm:ss"), (0.25, "0%"),
            (1234.5, '#,##0.00 "days";[Red]-0'), (0.1 + 0.2, "General"), (True, "General"), (-7, "0;0")], 3):
        sheet.cell(row, 1, value).number_format = code
    workbook.save(FOLDER / "Budget.xlsx")


def days():
    styles = (
        '<styleSheet><numFmts><numFmt numFmtId="200" formatCode="yyyy\\-mm &quot;ends&quot;"/>'
        '<numFmt numFmtId="201" formatCode="0.0#"/><numFmt numFmtId="202" formatCode="hh:mm"/></numFmts>'
        '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="200"/>'
        '<xf numFmtId="201"/><xf numFmtId="202"/></cellXfs></styleSheet>')
    values = [
        ("", "4711"), (0, "12.5"), (0, "1E+3"), (0, "0.30000000000000004"), (1, "1"), (1, "59"), (1, "61"), (1, "-1"),
        (1, "1e300"), (2, "46093.9"), (3, "1.256"), (4, "0.5"), (99, "8"), (-1, "9"), (1, "nan"), (0, "1e999")]
    cells = "".join(f'<c s="{style}"><v>{value}</v></c>' for style, value in values)
    cells += '<c t="s"><v>17</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c t="str"><v>gull</v></c>'
    for name, begin in [("Days", ""), ("Days1904", ' date1904="1"')]:
        archive(FOLDER / f"{name}.xlsx", {
            "xl/worksheets/sheet1.xml": f"<sheetData><row>{cells}</row></sheetData>", "xl/styles.xml": styles,
            "xl/workbook.xml": f"<workbook><workbookPr{begin}/></workbook>"})


def notes():
    document = odf.opendocument.OpenDocumentText()
    document.meta.addElement(odf.dc.Title(text="Cormorant diary"))
    document.meta.addElement(odf.meta.Keyword(text="plumage"))
    paragraph = odf.text.P(text="First ")
    paragraph.addElement(odf.text.Span(text="sight"))
    paragraph.addText("ing")
    document.text.addElement(paragraph)
    document.text.addElement(odf.text.P(text="Second"))
    document.save(FOLDER / "Notes.odt")


def prices():
    document = odf.opendocument.OpenDocumentSpreadsheet()
    table, row = odf.table.Table(name="Prices"), odf.table.TableRow()
    for text in ["Herring", "12,50"]:
        cell = odf.table.TableCell(valuetype="string")
        cell.addElement(odf.text.P(text=text))
        row.addElement(cell)
    table.addElement(row)
    document.spreadsheet.addElement(table)
    document.save(FOLDER / "Prices.ods")


def slides():
    text = '<a:p><a:r><a:t>Albat</a:t></a:r><a:r><a:t>ross</a:t></a:r></a:p><a:p><a:r><a:t>glides</a:t></a:r></a:p>'
    name = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    archive(FOLDER / "Talk.pptx", {
        "[Content_Types].xml": "<Types/>", "ppt/slides/slide1.xml": f'<p:sld xmlns:p="p" {name}>{text}</p:sld>',
        "ppt/notesSlides/notesSlide1.xml": f'<p:notes xmlns:p="p" {name}><a:t>whisper</a:t></p:notes>',
    })


def book():
    page = "<?xml version='1.0' encoding='utf-8'?><html><head><title>One</title></head><body><p>Caf&eacute; <i>tern</i>s</p></body></html>"
    opf = '<package xmlns:dc="dc"><metadata><dc:title>The Island</dc:title><dc:creator>Jo Writer</dc:creator></metadata></package>'
    archive(FOLDER / "Book.epub", {
        "mimetype": "application/epub+zip", "META-INF/container.xml": "<container/>", "OEBPS/content.opf": opf,
        "OEBPS/one.xhtml": page})


def big():
    part = '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:body></w:document>'
    large(FOLDER / "Big.docx", {"docProps/core.xml": "<p><title>Whale</title></p>", "word/document.xml": part % "A fulmar follows"})


def mail():
    message = email.message.EmailMessage()
    message["Subject"] = "Größe of the puffin colony, with a subject that is long enough to be folded into several lines"
    message["From"] = "Zoë Burrow <zoe@example.com>"
    message["To"] = "Ann <ann@example.com>"
    message.set_content("The guillemot naïvely nests – next to it.\n", cte="base64")
    message.add_alternative("<p>The <b>guille</b>mot in other words</p>", subtype="html")
    message.add_attachment(b"\0\1\2", maintype="application", subtype="octet-stream", filename="Übersicht.bin")
    (FOLDER / "Post.eml").write_bytes(message.as_bytes())


# --- PDF --------------------------------------------------------------------------------------------------------------

def rc4(key, data):
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    result, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        result.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(result)


PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def pdf(path, contents, forms=(), password=None, before=None):
    """A page with this text; object 4 is its content, 7 and those behind it are forms. Another one may stand before it."""
    identifier = b"0123456789abcdef"
    trailer, key = b"", None
    if password is not None:
        padded = (password + PADDING)[:32]
        owner = rc4(hashlib.md5(padded).digest()[:5], padded)
        key = hashlib.md5(padded + owner + (-4).to_bytes(4, "little", signed=True) + identifier).digest()[:5]
        trailer = b"/Encrypt <</Filter/Standard/V 1/R 2/P -4/O <%s>/U <%s>>>" % (
            owner.hex().encode(), rc4(key, PADDING).hex().encode())

    def sealed(number, data):
        if key is None:
            return data
        return rc4(hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], data)

    def stream(number, data, more=b""):
        data = sealed(number, data)
        return b"<<%s/Length %d>>stream\n%s\nendstream" % (more, len(data), data)

    names = b" ".join(b"/F%d %d 0 R" % (number, 7 + number) for number in range(len(forms)))
    resources = b"<</Font<</A 5 0 R>>/XObject<<%s>>>>" % names
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources %s>>" % resources,
        stream(4, contents), b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Title<%s>/Author<%s>>>" % (sealed(6, b"Tide tables").hex().encode(), sealed(6, b"Max Pilot").hex().encode()),
    ]
    for number, form in enumerate(forms):
        head = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources %s" % resources
        objects.append(stream(7 + number, form, head))
    if before is not None:
        number = 7 + len(forms)
        objects[1] = b"<</Type/Pages/Kids[%d 0 R 3 0 R]/Count 2>>" % number
        objects += [objects[2].replace(b"Contents 4", b"Contents %d" % (number + 1)), stream(number + 1, before)]
    data, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer <</Size %d/Root 1 0 R/Info 6 0 R/ID[<%s><%s>]%s>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(places) + 1, identifier.hex().encode(), identifier.hex().encode(), trailer, start)
    path.write_bytes(data)


TEXT = b"BT /A 12 Tf 72 700 Td (The kittiwake returns) Tj ET"


# --- Hostile ----------------------------------------------------------------------------------------------------------

def bombs():
    run = '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:body></w:document>'
    archive(HOSTILE / "Zeros.docx", {"word/document.xml": "\0" * (16 << 20)})
    archive(HOSTILE / "Tags.docx", {f"word/header{number}.xml": "<w:t/>" * (1 << 20) for number in range(2)})
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 20))
    archive(HOSTILE / "Entities.docx", {
        "word/document.xml":
            f'<!DOCTYPE x [<!ENTITY e0 "boom"><!ENTITY f SYSTEM "file:///etc/passwd">{entities}]>' + run % "before &e19;&f; behind"})
    archive(HOSTILE / "Parts.docx", {f"word/header{number}.xml": "" for number in range(20_000)}, zipfile.ZIP_STORED)
    whole = (FOLDER / "Letter.docx").read_bytes()
    (HOSTILE / "Short.docx").write_bytes(whole[:len(whole) // 2])
    (HOSTILE / "Sealed.docx").write_bytes(bytes.fromhex("D0CF11E0A1B11AE1") + bytes(4096))
    archive(HOSTILE / "Locked.docx", {"word/document.xml": run % "walrus"})
    locked = bytearray((HOSTILE / "Locked.docx").read_bytes())
    # The bit that says that a part is encrypted.
    locked[locked.rindex(b"PK\1\2") + 8] |= 1
    (HOSTILE / "Locked.docx").write_bytes(locked)


def main():
    HOSTILE.mkdir(parents=True)
    for make in [letter, budget, days, notes, prices, slides, book, big, mail]:
        make()
    pdf(FOLDER / "Tides.pdf", TEXT)
    bombs()
    pdf(HOSTILE / "Locked.pdf", TEXT, password=b"secret")
    # Each form draws the next one twenty times.
    forms = [b"/F%d Do " % (number + 1) * 20 for number in range(11)]
    lines = b"".join(b"0 -9 Td (The razorbill dives, and then it dives again and again and again and again) Tj " for _ in range(80))
    pdf(HOSTILE / "Endless.pdf", b"/F0 Do", [*forms, TEXT], before=b"BT /A 8 Tf 72 790 Td %sET" % lines)


main()
