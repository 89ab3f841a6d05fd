"""Two pages from the machine-readable promises: the event kinds with their fields, and the addresses of the API."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[2] / "docs"
EVENTS, API = DOCS / "events-v1.json", DOCS / "api-v1.json"
FIELDS = "| field | type | |\n|---|---|---|"


def write(folder: Path) -> None:
    """Write the pages into the folder of a language, with the files they describe."""
    for file, place, lines in ((EVENTS, "events.md", events()), (API, "http-api.md", addresses())):
        (folder / place).write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / file.name).write_bytes(file.read_bytes())


def events() -> Iterator[str]:
    """Yield the lines of the page of events."""
    schema = json.loads(EVENTS.read_text(encoding="utf-8"))
    yield f"# Event kinds\n\n{schema['description']}\nThe [JSON schema]({EVENTS.name}) says the same to programs.\n"
    yield f"## Fields of every event\n\n{FIELDS}"
    yield from _rows(schema["properties"], ())
    for reference in schema["oneOf"]:
        kind = reference["$ref"].rpartition("/")[2]
        about = schema["$defs"][kind]
        yield f"\n## {kind}\n\n{about['description']}\n"
        fields = {name: field for name, field in about["properties"].items() if name != "kind"}
        if fields:
            yield FIELDS
            yield from _rows(fields, about.get("required", ()))


def addresses() -> Iterator[str]:
    """Yield the lines of the page of the API."""
    api = json.loads(API.read_text(encoding="utf-8"))
    yield f"# HTTP API\n\n{api['info']['description']}"
    yield f"The [OpenAPI description]({API.name}) says the same to programs.\n"
    for path, methods in api["paths"].items():
        for method, about in methods.items():
            yield f"\n## {method.upper()} {path}\n\n{_sentence(about['summary'])} {about.get('description', '')}\n"
            if about.get("parameters"):
                yield "| parameter | in | |\n|---|---|---|"
                for given in about["parameters"]:
                    yield f"| `{given['name']}` | {given['in']} | {_said(given)} |"
            body = about.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            if "oneOf" in body:
                yield "| `do` | with | |\n|---|---|---|"
                for sent in body["oneOf"]:
                    does = ", ".join(f"`{word}`" for word in sent["properties"]["do"]["enum"])
                    others = ", ".join(f"`{name}`" for name in sent["properties"] if name != "do")
                    yield f"| {does} | {others} | {sent['title']} |"
            yield "\n| status | |\n|---|---|"
            for status, answer in sorted(about["responses"].items()):
                yield f"| {status} | {answer['description']} |"
    for name in ("State", "Match"):
        yield f"\n## {name}\n\n{FIELDS}"
        yield from _rows(api["components"]["schemas"][name]["properties"], ())


def _rows(fields: Mapping[str, Any], required: Any) -> Iterator[str]:  # noqa: ANN401 - a list of JSON
    for name, field in fields.items():
        optional = "" if not required or name in required or name == "player" else " (if there is one)"
        yield f"| `{name}` | {_type(field)} | {_said(field)}{optional} |"


def _type(field: Mapping[str, Any]) -> str:
    if "oneOf" in field:
        return " or ".join(map(_type, field["oneOf"]))
    if "$ref" in field:
        return str(field["$ref"].rpartition("/")[2])
    if "const" in field or "enum" in field:
        return ", ".join(f"`{json.dumps(value)}`" for value in field.get("enum", [field.get("const")]))
    kinds = field.get("type", "")
    return " or ".join(kinds) if isinstance(kinds, list) else str(kinds)


def _said(field: Mapping[str, Any]) -> str:
    return str(field.get("description", "")).replace("|", "\\|")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
