import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { createFetchText } from "./fetch-text.ts";

const routes: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/ok": (response) => response.end("fine"),
  "/gzip": (response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("unpacked")),
  "/bomb": (response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("0".repeat(100_000))),
  "/long": (response) => response.end("0".repeat(1_001)),
  "/moved": (response) => response.writeHead(302, { location: "/ok" }).end(),
  "/busy": (response) => response.writeHead(429).end("slow down"),
  "/silent": () => undefined,
  "/dripping": (response) => response.write("0"),
};

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    routes[request.url ?? ""]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetchText = createFetchText({ clock: systemClock, timeoutMs: 60_000, maxBytes: 1_000 });
const impatient = createFetchText({ clock: systemClock, timeoutMs: 300, maxBytes: 1_000 });
const neverAborts = new AbortController().signal;

describe("createFetchText", () => {
  it("reads a 200 response, also a compressed one", async () => {
    expect(await fetchText({ url: `${url}/ok` }, neverAborts)).toBe("fine");
    expect(await fetchText({ url: `${url}/gzip` }, neverAborts)).toBe("unpacked");
  });

  it.each([
    ["/busy", "responded with status 429"],
    ["/moved", "redirect"],
    ["/long", "more than 1000 bytes"],
    ["/bomb", "more than 1000 bytes"],
    ["/silent", "no answer within 300 ms", impatient],
    ["/dripping", "no answer within 300 ms", impatient],
  ] as const)("throws Unavailable for %s: %s", async (path, reason, fetching = fetchText) => {
    await expect(fetching({ url: url + path }, neverAborts)).rejects.toMatchObject({
      name: "Unavailable",
      message: expect.stringContaining(reason) as unknown,
    });
  });

  it("throws Unavailable if nothing listens, or the caller aborts", async () => {
    await expect(fetchText({ url: "http://127.0.0.1:1/" }, neverAborts)).rejects.toMatchObject({
      name: "Unavailable",
    });
    const stopping = new AbortController();
    const waiting = fetchText({ url: `${url}/silent` }, stopping.signal);
    stopping.abort(new Error("stopping"));
    await expect(waiting).rejects.toMatchObject({ name: "Unavailable" });
  });
});
