/** A link passes everything on, delays it, and when cut keeps back what was sent and the ends of connections, as a network does. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { type Links, startLinks } from "./links.ts";

let server: Server;
let links: Links;
let port = 0;
let url = "";
const accepted: Socket[] = [];
beforeEach(async () => {
  accepted.length = 0;
  server = createServer((socket) => {
    accepted.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => socket.write(`got ${chunk.toString()}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  links = await startLinks(systemClock);
  port = await links.open("api-1", "balancer", (server.address() as AddressInfo).port);
  url = links.list()[0]?.controlUrl ?? "";
});
afterEach(async () => {
  for (const socket of accepted) socket.destroy();
  await links.close();
  await new Promise((resolve) => server.close(resolve));
});

const control = async (body: unknown): Promise<[number, unknown]> => {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return [answer.status, await answer.json()];
};
const open = async (): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
};
const ask = async (socket: Socket, text: string): Promise<string> => {
  const answered = once(socket, "data");
  socket.write(text);
  return String((await answered)[0]);
};
/** What arrives, and whether the connection has ended. */
const watch = (socket: Socket) => {
  const seen = { text: "", hasEnded: false };
  socket.on("data", (chunk) => {
    seen.text += chunk.toString();
  });
  socket.on("close", () => {
    seen.hasEnded = true;
  });
  return seen;
};

describe("a link", () => {
  it("passes bytes and ends on", async () => {
    const socket = await open();
    expect(await ask(socket, "one")).toBe("got one");
    const closed = once(accepted[0]!, "close");
    socket.end();
    accepted[0]!.end();
    await closed;
  });

  it("is silent while it is cut, on old and new connections, and delivers everything afterwards", async () => {
    const socket = await open();
    await ask(socket, "one");
    const seen = watch(socket);
    expect(await control({ state: "cut" })).toEqual([200, { state: "cut", delay_ms: 0 }]);
    socket.write("two");
    const late = await open();
    const lateSeen = watch(late);
    late.write("three");
    accepted[0]!.write("bye");
    await systemClock.sleep(300);
    expect([seen.text, lateSeen.text, accepted.length]).toEqual(["", "", 1]);
    expect(await control({ state: "open" })).toEqual([200, { state: "open", delay_ms: 0 }]);
    await expect.poll(() => [seen.text, lateSeen.text]).toEqual(["byegot two", "got three"]);
  });

  it("hides that a process was killed while it is cut, and resets the connection afterwards", async () => {
    const socket = await open();
    await ask(socket, "one");
    const seen = watch(socket);
    await control({ state: "cut" });
    accepted[0]!.resetAndDestroy();
    await systemClock.sleep(300);
    expect(seen.hasEnded).toBe(false);
    await control({ state: "open" });
    await expect.poll(() => seen.hasEnded).toBe(true);
  });

  it("delays both directions", async () => {
    const socket = await open();
    await control({ delay_ms: 200 });
    const startedAt = performance.now();
    expect(await ask(socket, "slow")).toBe("got slow");
    // Twice the delay is the least that it can take.
    expect(performance.now() - startedAt).toBeGreaterThan(390);
  });

  it("resets connections to a port on which nobody listens", async () => {
    await new Promise((resolve) => server.close(resolve));
    const socket = connect(port, "127.0.0.1");
    const seen = watch(socket);
    socket.on("error", () => undefined);
    await expect.poll(() => seen.hasEnded).toBe(true);
    server = createServer().listen(0, "127.0.0.1");
  });

  it("refuses what it does not understand, and changes nothing", async () => {
    for (const body of [
      { state: "closed" },
      { delay_ms: -1 },
      { delay_ms: "5" },
      { cut: true },
      [],
      "cut",
    ])
      expect(await control(body)).toEqual([
        400,
        { error: 'send {"state": "cut" or "open", "delay_ms": 0 to 600000}' },
      ]);
    expect(await (await fetch(url)).json()).toEqual({ state: "open", delay_ms: 0 });
    expect((await fetch(url.replace(/\d+$/, "7"))).status).toBe(404);
  });
});
