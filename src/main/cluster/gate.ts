import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { LinkState } from "./link-state.ts";

/** A proxy in front of a port of this machine. */
export type Gate = {
  readonly port: number;
  readonly state: () => LinkState;
  readonly change: (state: LinkState) => void;
  readonly close: () => Promise<void>;
};

/** Per direction of a connection; beyond it the sender has to wait. */
const waitingBytesMax = 1024 * 1024;

/**
 * While it is cut, nothing passes and no connection ends, as if packets were lost: what was sent, and the ends of connections, arrive
 * when it is open again. Unlike on a cut network, a connection can still be opened; it is silent.
 */
export async function startGate(targetPort: number, clock: Clock): Promise<Gate> {
  let state: LinkState = { isCut: false, delayMs: 0 };
  let opened = openDoor();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    // Either side may leave at any time; `carry` passes it on.
    socket.on("error", () => undefined);
  };
  const passing: Passing = {
    delayMs: () => state.delayMs,
    untilDue: async (dueMs) => {
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await clock.sleep(waitMs);
      await opened.promise;
    },
  };
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    keep(client);
    void opened.promise.then(() => {
      if (client.destroyed) return;
      const upstream = connect({ port: targetPort, host: "127.0.0.1", allowHalfOpen: true });
      keep(upstream);
      const refuse = (): void => {
        client.resetAndDestroy();
      };
      upstream.once("error", refuse);
      upstream.once("connect", () => {
        upstream.off("error", refuse);
        carry(client, upstream, passing);
        carry(upstream, client, passing);
        client.resume();
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    state: () => state,
    change: (next) => {
      if (next.isCut && !state.isCut) opened = closedDoor();
      state = next;
      if (!next.isCut) opened.open();
    },
    close: async () => {
      opened.open();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Passing = {
  readonly delayMs: () => number;
  /** Resolves at that time of `performance.now()`, or later when the gate is open again. */
  readonly untilDue: (dueMs: number) => Promise<void>;
};

/** Passes on what arrives from one socket to the other, in order: bytes, the end, a reset. */
function carry(source: Socket, target: Socket, { delayMs, untilDue }: Passing): void {
  let last: Promise<unknown> = Promise.resolve();
  let waitingBytes = 0;
  const pass = (work: () => void): void => {
    const dueMs = performance.now() + delayMs();
    last = last.then(() => untilDue(dueMs)).then(work);
  };
  source.on("data", (chunk: Buffer) => {
    waitingBytes += chunk.length;
    if (waitingBytes > waitingBytesMax) source.pause();
    pass(() => {
      waitingBytes -= chunk.length;
      if (target.writable) target.write(chunk);
      if (source.isPaused() && waitingBytes < waitingBytesMax) source.resume();
    });
  });
  source.on("end", () => {
    pass(() => {
      target.end();
    });
  });
  source.on("close", (hadError) => {
    pass(() => {
      if (hadError) target.resetAndDestroy();
      else target.destroySoon();
    });
  });
}

type Door = { readonly promise: Promise<void>; readonly open: () => void };

function closedDoor(): Door {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

function openDoor(): Door {
  return { promise: Promise.resolve(), open: () => undefined };
}
