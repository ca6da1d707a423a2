import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import type { PlainRoute } from "./plain-route.ts";
import type { Server } from "./server.ts";

/** What shows only on a real connection: malformed HTTP, bodies with wrong lengths, and stopping under load. */

let open: Server[] = [];
afterEach(async () => {
  await Promise.all(open.map((server) => server.close()));
  open = [];
});

async function listen(
  routes: readonly PlainRoute[] = [],
): Promise<{ server: Server; port: number }> {
  const { server } = apiServer(routes);
  open.push(server);
  await server.listen({ port: 0, host: "127.0.0.1" });
  return { server, port: (server.server.address() as AddressInfo).port };
}

/** Everything that the server sends until it closes the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString();
  });
  socket.write(bytes);
  await once(socket, "close");
  return received;
}

describe("the server on a real connection", () => {
  it.each([
    ["no HTTP at all", "hello\r\n\r\n", "400", "parse_error"],
    [
      "headers of 20 kB",
      `GET /ping HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      "431",
      "headers_too_large",
    ],
    [
      "two lengths",
      "POST /ping HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "400",
      "parse_error",
    ],
    [
      "HTTP/1.1 without a Host",
      "GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n",
      "400",
      "parse_error",
    ],
    [
      "an expectation of something else than 100-continue",
      "GET /ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: x\r\n\r\n",
      "417",
      "expectation_failed",
    ],
  ])("%s is answered %s %s as an API error document", async (_name, bytes, status, code) => {
    const { port } = await listen();
    const [head = "", body = ""] = (await exchange(port, bytes)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain("content-type: application/vnd.api+json\r\n");
    expect(JSON.parse(body)).toMatchObject({ errors: [{ status, code }] });
  });

  it("answers 404 for an id that is longer than any valid one", async () => {
    const { server } = apiServer([
      {
        kind: "plain",
        method: "GET",
        path: "/thing/{id}/",
        summary: "A thing",
        handle: () => ({ status: 200, contentType: "text/plain", body: "here" }),
      },
    ]);
    open.push(server);
    const answer = await server.inject({ url: `/thing/${"1".repeat(300)}/` });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ errors: [{ status: "404", code: "404" }] });
  });

  it("lets a running request finish and refuses new connections while closing", async () => {
    let release: () => void = () => undefined;
    let arrived: () => void = () => undefined;
    const isRunning = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { server, port } = await listen([
      {
        kind: "plain",
        method: "GET",
        path: "/slow",
        summary: "Wait",
        handle: async () => {
          arrived();
          await gate;
          return { status: 200, contentType: "text/plain", body: "done" };
        },
      },
    ]);
    const running = request({ port, host: "127.0.0.1", path: "/slow", agent: false }).end();
    const answered = once(running, "response");
    await isRunning;
    const closed = server.close();
    const late = request({ port, host: "127.0.0.1", path: "/ping", agent: false }).end();
    await expect(once(late, "response")).rejects.toThrow("ECONNREFUSED");
    release();
    const [response] = (await answered) as [{ statusCode: number; resume: () => void }];
    response.resume();
    expect(response.statusCode).toBe(200);
    await closed;
  });
});

describe("a body over the limit", () => {
  const echo: PlainRoute = {
    kind: "plain",
    method: "POST",
    path: "/echo",
    summary: "Take a body",
    handle: () => ({ status: 200, contentType: "text/plain", body: "taken" }),
  };
  const size = 8 * 1024 * 1024;

  it.each([
    ["a length", `Content-Length: ${size}`, (bytes: Buffer) => bytes],
    [
      "chunks",
      "Transfer-Encoding: chunked",
      (bytes: Buffer) =>
        Buffer.concat([
          Buffer.from(`${size.toString(16)}\r\n`),
          bytes,
          Buffer.from("\r\n0\r\n\r\n"),
        ]),
    ],
  ])(
    "is read to its end and answered with 413 when sent with %s",
    async (_name, header, encode) => {
      const { port } = await listen([echo]);
      const socket = connect(port, "127.0.0.1");
      let received = "";
      const failures: Error[] = [];
      socket.on("error", (error) => failures.push(error));
      socket.write(`POST /echo HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
      const sent = new Promise((resolve) => socket.write(encode(Buffer.alloc(size, "x")), resolve));
      // Reads nothing until everything is sent, as a simple client does.
      expect(await sent).toBeFalsy();
      socket.on("data", (chunk) => {
        received += chunk.toString();
      });
      // The connection stays usable.
      socket.write("GET /ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      await once(socket, "close");
      expect(failures).toEqual([]);
      expect(received).toMatch(/^HTTP\/1.1 413 /);
      expect(received).toContain('"payload_too_large"');
      expect(received).toContain("HTTP/1.1 200 ");
    },
  );
});
