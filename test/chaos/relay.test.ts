import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Socket,
} from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { eventually } from "../support/eventually.ts";
import { type Endpoint, type Relay, startRelay } from "./relay.ts";

/* A relay in front of a server that sends back what it receives. */

let teardown = new Teardown(silentLogger);

afterEach(async () => {
  await teardown.run();
  teardown = new Teardown(silentLogger);
});

describe("a relay", () => {
  it("passes on bytes and ends", async () => {
    const { relay } = await startEcho();
    const client = await open(relay.at);
    client.socket.end("hello");
    await once(client.socket, "close");
    expect(client.received()).toBe("hello");
    expect(client.failure()).toBeNull();
  });

  it("passes on from one Unix socket to another", async () => {
    const folder = await mkdtemp(join(tmpdir(), "relay-"));
    teardown.add("folder", () => rm(folder, { recursive: true }));
    const { relay } = await startEcho(
      { path: join(folder, "far") },
      { path: join(folder, "near") },
    );
    const client = await open(relay.at);
    client.socket.write("hello");
    await eventually(client.received, (text) => text === "hello");
    relay.disturb({ kind: "cut" });
    await once(client.socket, "close");
  });

  it("resets its connections while it is cut, and new ones", async () => {
    const { relay, sockets } = await startEcho();
    const client = await open(relay.at);
    client.socket.write("hello");
    await eventually(client.received, (text) => text === "hello");
    const end = relay.disturb({ kind: "cut" });
    await eventually(client.failure, (code) => code === "ECONNRESET");
    await eventually(
      () => sockets.every(({ destroyed }) => destroyed),
      (areGone) => areGone,
    );
    const late = await open(relay.at);
    await eventually(late.failure, (code) => code === "ECONNRESET");
    end();
    const next = await open(relay.at);
    next.socket.write("hello");
    await eventually(next.received, (text) => text === "hello");
  });

  it("swallows what is sent in a silence, and never uses that connection again", async () => {
    const { relay, sockets } = await startEcho();
    const [client, idle] = [await open(relay.at), await open(relay.at)];
    for (const { socket, received } of [client, idle]) {
      socket.write("1");
      await eventually(received, (text) => text === "1");
    }
    const end = relay.disturb({ kind: "silent" });
    client.socket.write("2");
    const late = await open(relay.at);
    late.socket.write("2");
    // The relay has read what came before it.
    await eventually(
      () => client.socket.bytesWritten + late.socket.bytesWritten,
      (bytes) => bytes === 3,
    );
    const probe = await open(relay.at);
    probe.socket.destroy();
    await once(probe.socket, "close");
    end();
    client.socket.write("3");
    late.socket.write("3");
    idle.socket.write("3");
    await eventually(idle.received, (text) => text === "13");
    expect([client.received(), late.received()]).toEqual(["1", ""]);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false]);
    expect([client.failure(), late.failure()]).toEqual([null, null]);
  });

  it("keeps the order of what it delays", async () => {
    const { relay } = await startEcho();
    const client = await open(relay.at);
    const end = relay.disturb({ kind: "slow", delayMs: 100 });
    client.socket.write("1");
    const late = await open(relay.at);
    late.socket.write("1");
    end();
    client.socket.write("2");
    late.socket.end("2");
    await eventually(client.received, (text) => text === "12");
    await eventually(late.received, (text) => text === "12");
  });

  it("leaves a newer disturbance in place when an older one ends", async () => {
    const { relay } = await startEcho();
    const endFirst = relay.disturb({ kind: "slow", delayMs: 1 });
    relay.disturb({ kind: "cut" });
    endFirst();
    const client = await open(relay.at);
    await eventually(client.failure, (code) => code === "ECONNRESET");
  });
});

async function startEcho(
  far: Endpoint = { port: 0 },
  near: Endpoint = { port: 0 },
): Promise<{ readonly relay: Relay; readonly sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  server.listen({ ...far, host: "127.0.0.1" });
  await once(server, "listening");
  teardown.add("server", () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const target = "port" in far ? { port: (server.address() as AddressInfo).port } : far;
  const relay = await startRelay(near, target);
  teardown.add("relay", relay.close);
  return { relay, sockets };
}

type Client = {
  readonly socket: Socket;
  readonly received: () => string;
  readonly failure: () => string | null;
};

async function open(at: Endpoint): Promise<Client> {
  const socket = connect(at as NetConnectOpts);
  let text = "";
  let code: string | null = null;
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    code = error.code ?? error.message;
  });
  teardown.add("client", () => {
    socket.destroy();
  });
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  return { socket, received: () => text, failure: () => code };
}
