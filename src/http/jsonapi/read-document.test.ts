import { describe, expect, it } from "vitest";
import { arrangeBoxes, boxApi, errorCodes, toCurrency } from "../../../test/support/box-api.ts";
import { useDatabase } from "../../../test/support/database.ts";

/** Request documents are read leniently and refused with a pointer. */

const database = useDatabase();
const { ask, seen } = boxApi(database);

const create = (data: object) => ask("POST", "/box/", { body: JSON.stringify({ data }) });

describe("request documents", () => {
  it("answer 201 with Location for a created resource", async () => {
    const answer = await create({
      type: "box",
      attributes: { label: "abc" },
      relationships: toCurrency,
    });
    expect([answer.status, answer.headers["location"]]).toEqual([
      201,
      "http://pay.example/box/77/",
    ]);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  it.each([
    ["", 400, [["1007", "/data"]]],
    ["{", 400, [["parse_error"]]],
    ["{}x", 400, [["parse_error"]]],
    ['{"data":{"type":"box","type":"box"}}', 400, [["parse_error"]]],
    [
      '{"data":{"type":"box","attributes":{"label":"a","\\u006cabel":"b"}}}',
      400,
      [["parse_error"]],
    ],
    ['"\ud800"', 400, [["1007", "/data"]]],
    ["null", 400, [["1007", "/data"]]],
    ["[]", 400, [["1007", "/data"]]],
    ["3", 400, [["1007", "/data"]]],
    ['{"data":null}', 400, [["1007", "/data"]]],
    ['{"data":[]}', 400, [["1007", "/data"]]],
    ['{"data":{}}', 409, [["conflict", "/data/type"]]],
    ['{"data":{"type":"walletz","id":"1"}}', 409, [["conflict", "/data/type"]]],
    ['{"data":{"type":["box"]}}', 409, [["conflict", "/data/type"]]],
    ['{"data":{"type":"box","id":"1"}}', 403, [["forbidden", "/data/id"]]],
    ['{"data":{"type":"box","attributes":[]}}', 400, [["1007", "/data/attributes"]]],
    ['{"data":{"type":"box","relationships":"x"}}', 400, [["1007", "/data/relationships"]]],
    ['{"data":{"type":"box"}}', 400, [["1007", "/data/relationships/currency"]]],
    [
      '{"data":{"type":"box","relationships":{"currency":null}}}',
      400,
      [["1007", "/data/relationships/currency"]],
    ],
    [
      '{"data":{"type":"box","relationships":{"currency":{}}}}',
      400,
      [["1007", "/data/relationships/currency"]],
    ],
    [
      '{"data":{"type":"box","relationships":{"currency":{"data":null}}}}',
      400,
      [["1007", "/data/relationships/currency"]],
    ],
    [
      '{"data":{"type":"box","relationships":{"currency":{"data":{"type":"currency"}}}}}',
      400,
      [["1007", "/data/relationships/currency"]],
    ],
    [
      '{"data":{"type":"box","relationships":{"currency":{"data":{"type":"currency","id":{}}}}}}',
      400,
      [["1007", "/data/relationships/currency"]],
    ],
    [
      '{"data":{"type":"box","relationships":{"currency":{"data":{"type":"money","id":"1"}}}}}',
      409,
      [["conflict", "/data/relationships/currency/data/type"]],
    ],
    [
      '{"data":{"type":"box","relationships":{"currency":{"data":{"id":"1"}}}}}',
      409,
      [["conflict", "/data/relationships/currency/data/type"]],
    ],
    [`{"data":${"[".repeat(40)}${"]".repeat(40)}}`, 400, [["parse_error"]]],
    ["[".repeat(60_000), 400, [["parse_error"]]],
  ])("answer %s with %i", async (body, status, expected) => {
    const answer = await ask("POST", "/box/", { body });
    expect([answer.status, errorCodes(answer)]).toEqual([status, expected]);
  });

  it("reject bytes that are not UTF-8, and more than 64 KiB", async () => {
    expect(
      errorCodes(await ask("POST", "/box/", { body: Uint8Array.from([0x22, 0xff, 0x22]) })),
    ).toEqual([["parse_error"]]);
    const large = await ask("POST", "/box/", {
      body: JSON.stringify({ data: "x".repeat(65_536) }),
    });
    expect([large.status, errorCodes(large)]).toEqual([413, [["payload_too_large"]]]);
    const fitting = JSON.stringify({
      data: { type: "box", relationships: toCurrency },
      padding: "",
    });
    const padded = fitting.replace('""', `"${"x".repeat(65_536 - fitting.length)}"`);
    expect((await ask("POST", "/box/", { body: padded })).status).toBe(201);
  });

  const attribute = (name: string, json: string) =>
    ask("POST", "/box/", {
      body: `{"data":{"type":"box","attributes":{"${name}":${json}},"relationships":${JSON.stringify(toCurrency)}}}`,
    });

  it.each([
    ["label", '"123456"'],
    ["label", "true"],
    ["label", "{}"],
    ["label", '"a\\u0000"'],
    ["label", '"\\ud800"'],
    ["limit", "101"],
    ["limit", "-1"],
    ["limit", "1.5"],
    ["limit", '"x"'],
    ["limit", "1e400"],
    ["limit", "1e-400"],
    ["limit", "5.00000000000000000001e0"],
    ["limit", "-1e-400"],
    ["limit", "true"],
    ["share", "-0.1"],
    ["share", '"-1"'],
    ["share", '"1,5"'],
    ["share", '"0x10"'],
    ["share", '"NaN"'],
    ["share", "1e300"],
    ["share", `"${"1".repeat(37)}"`],
    ["callback_url", '"ftp://a.example/"'],
    ["callback_url", '"a.example"'],
    ["callback_url", '"https://user:pw@a.example/"'],
    ["callback_url", '"javascript:alert(1)"'],
    ["callback_url", '"https://a.example/ b"'],
    ["callback_url", `"https://a.example/${"x".repeat(256)}"`],
    ["flag", '"yes"'],
    ["status", "2"],
    ["status", "3.5"],
    ["status", "3e1"],
    ["status", "3.0000000000000000000001"],
    ["status", '"Active"'],
    ["extra", '{"a":[{"b":"\\u0000"}]}'],
  ])("reject in the attribute %s the value %s", async (name, json) => {
    const answer = await attribute(name, json);
    const [[code, pointer]] = errorCodes(answer) as [[string, string]];
    expect([answer.status, code]).toEqual([400, "1007"]);
    expect(pointer).toMatch(new RegExp(`^/data/attributes/${name}`));
  });

  it.each([
    ["label", '"12345"', "12345"],
    ["label", '"😀😀😀😀😀"', "😀😀😀😀😀"],
    ["label", '""', null],
    ["label", "null", null],
    ["label", "12", "12"],
    ["limit", '"7"', 7],
    ["limit", "7.0", 7],
    ["limit", '"7.0"', 7],
    ["limit", "7e0", 7],
    ["limit", "700e-2", 7],
    ["limit", "1e2", 100],
    ["limit", "0", 0],
    ["limit", "-0.0", 0],
    ["share", "0.1234567890123456789012345678", "0.1234567890123456789012345678"],
    ["share", "1e-7", "1e-7"],
    ["share", '"0.10"', "0.10"],
    ["share", '""', null],
    ["callback_url", '"http://127.0.0.1:8080/x?y=1#z"', "http://127.0.0.1:8080/x?y=1#z"],
    ["callback_url", '""', null],
    ["flag", '"true"', true],
    ["flag", "false", false],
    ["status", '"3"', 3],
    ["status", "3.0", 3],
    ["status", "3e0", 3],
    ["status", "0.3e1", 3],
    ["extra", '{"a":[1,{"b":"c"}],"__proto__":{"x":1}}', { a: [1, { b: "c" }] }],
    ["friend", '"9"', "9"],
    ["friend", "9.0", "9"],
    ["friend", "9e0", "9"],
    ["friend", "9223372036854775807.0", "9223372036854775807"],
    ["friend", "9.5", "9.5"],
    ["friend", '"9.0"', "9.0"],
    ["page", '"https://x.example/"', undefined],
    ["unknown", '"\\u0000"', undefined],
    ["constructor", '"x"', undefined],
  ])("read in the attribute %s the value %s", async (name, json, value) => {
    expect((await attribute(name, json)).status).toBe(201);
    expect(Object.hasOwn(seen.input, name) ? seen.input[name] : undefined).toEqual(value);
  });

  it("report several field errors together, sorted by pointer", async () => {
    const answer = await create({
      type: "box",
      attributes: { share: "x", label: "too long", limit: -1 },
    });
    expect(errorCodes(answer).map(([, pointer]) => pointer)).toEqual([
      "/data/attributes/label",
      "/data/attributes/limit",
      "/data/attributes/share",
      "/data/relationships/currency",
    ]);
  });

  it.each([
    ["the relationship", undefined, { data: { type: "box", id: "9" } }, "9"],
    ["both alike", 9, { data: { type: "box", id: "9" } }, "9"],
    ["an attribute beside an empty relationship", "9", { data: null }, "9"],
    ["nothing", null, { data: null }, null],
  ])("accept as attribute or relationship: %s", async (_how, attribute, friend, expected) => {
    const answer = await create({
      type: "box",
      attributes: attribute === undefined ? {} : { friend: attribute },
      relationships: { ...toCurrency, friend },
    });
    expect([answer.status, seen.input["friend"]]).toEqual([201, expected]);
  });

  it("reject an attribute that names another object than its relationship", async () => {
    const friend = { data: { type: "box", id: "9" } };
    const relationships = { ...toCurrency, friend };
    const answer = await create({ type: "box", attributes: { friend: "8" }, relationships });
    expect(errorCodes(answer)).toEqual([["1007", "/data/attributes/friend"]]);
  });

  it("may report a missing field with a code of its own", async () => {
    const answer = await ask("POST", "/box/quote/", {
      body: { data: { type: "quote", attributes: { amount: "" } } },
    });
    expect(errorCodes(answer)).toEqual([
      ["1006", "/data/attributes/amount"],
      ["1006", "/data/relationships/currency"],
    ]);
  });

  it("report a missing header before an invalid body", async () => {
    const answer = await ask("POST", "/keyed/", { body: "{" });
    expect([answer.status, errorCodes(answer)]).toEqual([428, [["1003", "idempotency-key"]]]);
    const keyed = await ask("POST", "/keyed/", { body: "{", headers: { "idempotency-key": "x" } });
    expect(errorCodes(keyed)).toEqual([["parse_error"]]);
  });

  it("distinguish absent from cleared members in a PATCH", async () => {
    await arrangeBoxes(database, 1);
    const patch = (data: object) =>
      ask("PATCH", "/box/1/", { body: JSON.stringify({ data: { type: "box", ...data } }) });
    expect((await patch({ id: "1", attributes: { label: "" } })).status).toBe(200);
    expect(seen.input).toEqual({ label: null });
    await patch({ attributes: { limit: 5 } });
    expect(seen.input).toEqual({ limit: 5 });
    for (const id of ["1", "1.0", "1e0"])
      expect(
        (await ask("PATCH", "/box/1/", { body: `{"data":{"type":"box","id":${id}}}` })).status,
      ).toBe(200);
    const other = await patch({ id: "2" });
    expect([other.status, errorCodes(other)]).toEqual([409, [["conflict", "/data/id"]]]);
  });
});
