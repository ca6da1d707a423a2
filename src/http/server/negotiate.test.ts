import { describe, expect, it } from "vitest";
import { arrangeBoxes, boxApi, errorCodes, toCurrency } from "../../../test/support/box-api.ts";
import { useDatabase } from "../../../test/support/database.ts";

/** JSON:API 1.1, "Content Negotiation", in and out. */

const database = useDatabase();
const { ask } = boxApi(database);

describe("content negotiation", () => {
  const strict = [
    ["application/vnd.api+json", 200],
    ["application/vnd.api+json; charset=utf-8", 406],
    ["application/vnd.api+json; foo=bar, application/vnd.api+json", 200],
    ["application/vnd.api+json; foo=bar, */*;q=0.8", 406],
    ['application/vnd.api+json; ext="https://x.example/a"', 406],
    ['application/vnd.api+json; profile="https://x.example/a,b"', 200],
    ["*/*", 200],
    ["application/*;q=0.5", 200],
    ["text/html, */*;q=0.1", 200],
    ["application/json", 406],
    ["application/vnd.api+json;q=0", 406],
    ["application/vnd.api+json;q=0, */*", 406],
    ["*/*, application/vnd.api+json; q=0.000, application/*", 406],
    ["application/*;q=0, */*", 406],
    ["*/*;q=0, application/vnd.api+json", 200],
    ["*/*;q=0, application/*;q=0.1", 200],
    ["nonsense", 406],
    ["", 200],
  ] as const;
  it.each(strict)("answers Accept %s with %i", async (accept, status) => {
    const answer = await ask("GET", "/box/", { headers: { accept } });
    expect(answer.status).toBe(status);
    if (status === 406) expect(errorCodes(answer)).toEqual([["not_acceptable", "accept"]]);
  });

  it.each([
    ["application/vnd.api+json", 201],
    ["application/vnd.api+json; charset=utf-8", 415],
    ['application/vnd.api+json; ext="https://unsupported"', 415],
    ["application/vnd.api+json; q=1", 415],
    ['application/vnd.api+json; profile="https://unknown; x"', 201],
    ["APPLICATION/VND.API+JSON", 201],
    ["application/json", 415],
    ["multipart/form-data; boundary=x", 415],
    ["nonsense;;=", 415],
    [undefined, 415],
  ])("answers Content-Type %s with %i", async (type, status) => {
    const answer = await ask("POST", "/box/", {
      body: JSON.stringify({ data: { type: "box", relationships: toCurrency } }),
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(status);
    if (status === 415)
      expect(errorCodes(answer)).toEqual([["unsupported_media_type", "content-type"]]);
  });

  it.each([
    ["gzip", 415],
    ["br, identity", 415],
    ["nonsense", 415],
    ["identity", 201],
    ["", 201],
  ])("answers a body with Content-Encoding %j with %i", async (encoding, status) => {
    const answer = await ask("POST", "/box/", {
      body: JSON.stringify({ data: { type: "box", relationships: toCurrency } }),
      headers: { "content-encoding": encoding },
    });
    expect(answer.status).toBe(status);
    if (status === 415)
      expect(errorCodes(answer)).toEqual([["unsupported_media_type", "content-encoding"]]);
  });

  it("can be relaxed by a setting", async () => {
    const lenient = boxApi(database, { strictMediaTypes: false });
    const type = "application/vnd.api+json; charset=utf-8";
    const body = { data: { type: "box", relationships: toCurrency } };
    const answer = await lenient.ask("POST", "/box/", {
      body,
      headers: { accept: type, "content-type": type },
    });
    expect(answer.status).toBe(201);
    expect((await lenient.ask("GET", "/box/", { headers: { accept: "text/html" } })).status).toBe(
      406,
    );
  });

  it("ignores the body of a GET and needs no Content-Type for it", async () => {
    await arrangeBoxes(database, 1);
    expect((await ask("GET", "/box/", { headers: { "content-type": undefined } })).status).toBe(
      200,
    );
    expect((await ask("GET", "/box/", { body: "{ not json" })).status).toBe(200);
    expect(
      (await ask("POST", "/box/1/close/", { body: "{", headers: { "content-type": "text/plain" } }))
        .status,
    ).toBe(200);
  });
});
