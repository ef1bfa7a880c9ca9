"""Say where a JSON document departs from a JSON Schema; nothing when it fits.

usage: validate.py SCHEMA DOCUMENT

The keywords that log.schema.json uses, by the standard library alone; an unknown
keyword is an error, so that none is taken for checked. Where python3-jsonschema
is there, it must agree.
"""
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str}
NOTES = {"$schema", "$defs", "title", "description"}


def has_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def departures(schema, value, root, where="$"):
    for keyword, wanted in schema.items():
        if keyword in NOTES:
            continue
        if keyword == "$ref":
            target = root["$defs"][wanted.removeprefix("#/$defs/")]
            yield from departures(target, value, root, where)
        elif keyword == "type":
            if not has_type(value, wanted):
                yield "%s: no %s" % (where, wanted)
                return
        elif keyword == "const":
            if value != wanted:
                yield "%s: not %r" % (where, wanted)
        elif keyword == "enum":
            if value not in wanted:
                yield "%s: %r is none of %r" % (where, value, wanted)
        elif keyword == "minimum":
            if value < wanted:
                yield "%s: below %r" % (where, wanted)
        elif keyword == "pattern":
            if not re.search(wanted, value):
                yield "%s: %r does not match %s" % (where, value, wanted)
        elif keyword == "required":
            for name in wanted:
                if name not in value:
                    yield "%s: no member %r" % (where, name)
        elif keyword == "properties":
            for name, inner in wanted.items():
                if name in value:
                    yield from departures(inner, value[name], root,
                                          where + "." + name)
        elif keyword == "additionalProperties":
            for name, item in value.items():
                yield from departures(wanted, item, root, where + "." + name)
        elif keyword == "items":
            for i, item in enumerate(value):
                yield from departures(wanted, item, root, "%s[%d]" % (where, i))
        else:
            raise SystemExit("the schema uses %r, unknown here" % keyword)


schema, document = (json.load(open(name)) for name in sys.argv[1:])
found = list(departures(schema, document, schema))
try:
    import jsonschema
    jsonschema.Draft202012Validator.check_schema(schema)
    theirs = list(jsonschema.Draft202012Validator(schema).iter_errors(document))
    if bool(theirs) != bool(found):
        found.append("jsonschema disagrees: %s" % theirs)
except ImportError:
    pass
print("\n".join(found))
sys.exit(bool(found))
