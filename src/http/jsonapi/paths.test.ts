import { describe, expect, it } from "vitest";
import { arrangeBoxes, boxApi, errorCodes, toCurrency } from "../../../test/support/box-api.ts";
import { useDatabase } from "../../../test/support/database.ts";

/** Which paths and methods are served. */

const database = useDatabase();
const { ask } = boxApi(database);

describe("paths", () => {
  it("answer with and without a trailing slash, collapse doubled slashes, and never redirect", async () => {
    await arrangeBoxes(database, 3);
    for (const url of [
      "/box",
      "/box/",
      "//box//",
      "/box/?page[size]=1",
      "/box/3",
      "/box//3/",
      "http://other.example/box/3/",
    ])
      expect((await ask("GET", url)).status, url).toBe(200);
    expect(
      (await ask("POST", "/box", { body: { data: { type: "box", relationships: toCurrency } } }))
        .status,
    ).toBe(201);
  });

  it("answer 404 for unknown paths and invalid ids, also without a token", async () => {
    for (const url of [
      "/nothing/",
      "/box/1/nothing/",
      "/box/abc/",
      "/box/0/",
      "/box/-1/",
      "/box/99999999999999999999/",
      "/box/%zz/",
      "/box/1%00/",
      "/box/4711/",
    ])
      expect((await ask("GET", url)).status, url).toBe(404);
    expect((await ask("GET", "/nothing/", { as: null })).status).toBe(404);
    expect((await ask("POST", "/nothing/", { as: null, body: "{" })).status).toBe(404);
  });

  it("answer 405 with Allow for other methods, with and without a token", async () => {
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const answer = await ask(method, "/box/", { as: null });
      expect([answer.status, answer.headers["allow"]]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
      expect(errorCodes(answer)).toEqual([["method_not_allowed"]]);
    }
    expect((await ask("GET", "/box/quote/")).headers["allow"]).toBe("POST, OPTIONS");
    expect((await ask("POST", "/box/3/")).headers["allow"]).toBe("GET, PATCH, HEAD, OPTIONS");
    expect((await ask("HEAD", "/box/3/close/")).status).toBe(405);
  });

  // Regression: QUERY without Content-Type was a 500 once, TRACE and WebDAV methods were 404.
  it.each(["TRACE", "QUERY", "LOCK", "PROPFIND", "PURGE"])(
    "answer %s with 405, and 404 elsewhere",
    async (method) => {
      for (const url of ["/box/", "/box/3/?page[size]=1"]) {
        const answer = await ask(method, url, { as: null });
        expect([answer.status, errorCodes(answer)]).toEqual([405, [["method_not_allowed"]]]);
        expect(answer.headers["allow"]).toMatch(/^GET, /);
      }
      const quote = await ask(method, "/box/quote/", { as: null });
      expect(quote.headers["allow"]).toBe("POST, OPTIONS");
      expect((await ask(method, "/nothing/", { as: null })).status).toBe(404);
    },
  );

  it("answer HEAD like GET without the body", async () => {
    await arrangeBoxes(database, 1);
    const [head, get] = [await ask("HEAD", "/box/"), await ask("GET", "/box/")];
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(String(get.text.length));
    expect((await ask("HEAD", "/box/", { as: null })).status).toBe(401);
  });
});
