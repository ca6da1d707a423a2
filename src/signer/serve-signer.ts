import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import type { Clock } from "../platform/kernel/clock.ts";
import { errorMessage } from "../platform/kernel/error-message.ts";
import type { Logger } from "../platform/kernel/logger.ts";
import { readLines } from "./journal/read-lines.ts";
import { parseRequest, type SignerReply, type SignerRequest } from "./protocol.ts";
import type { ClientList, PresentedCertificate } from "./remote/client-list.ts";
import { type ListenerFiles, listenRemotely } from "./remote/listen-remotely.ts";
import { type Right, rightOf, rights } from "./remote/rights.ts";
import { prepareSocketFolder } from "./socket-path.ts";

export type SignerServer = {
  /** The port of the network listener; null if there is none. */
  readonly port: number | null;
  readonly close: () => Promise<void>;
};

/** Where the signer listens for clients of other machines, and which it admits. */
export type RemoteAccess = {
  readonly host: string;
  readonly port: number;
  readonly files: ListenerFiles;
  readonly clients: ClientList;
};

/** Answers requests whose client has the right. Who answers may change while clients are connected: see `SignerPair`. */
export type Desk = {
  /** Rejects with `NotTheActive` if it did nothing because another signer is the active one. */
  readonly answer: (request: SignerRequest, held: readonly Right[]) => Promise<unknown>;
  /** See `SignerReply`. */
  readonly epoch: () => number;
};

/** Another signer of the pair is active, so this one answers no such request. */
export class NotTheActive extends Error {
  override readonly name = "NotTheActive";
}

/** The present rights of a connection's client; null: it may not be connected any more. */
type ReadRights = () => Promise<readonly Right[] | null>;

/** A connection that sends requests faster than they are answered is paused. */
const waitingMax = 100;

/**
 * Answers on a Unix socket (mode 0600, in a folder of mode 0700: only this user can connect, with all rights), and with `remote`
 * over the network, where each request needs a right of its client. The caller holds the lock of the signer's folder, so an
 * existing socket file is a dead signer's.
 */
export async function serveSigner(context: {
  readonly socketPath: string;
  readonly remote: RemoteAccess | null;
  readonly desk: Desk;
  /** The longest line that it reads. */
  readonly lengthMax: number;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<SignerServer> {
  const { socketPath, desk, clock, logger } = context;
  await prepareSocketFolder(dirname(socketPath));
  await rm(socketPath, { force: true });
  const sockets = new Set<Socket>();

  const serve = async (line: string, held: readonly Right[]): Promise<SignerReply> => {
    const request = parseRequest(line);
    if (request === null) {
      return { id: null, error: "not a request", isActive: true, epoch: desk.epoch() };
    }
    const { id, call, traceparent } = request;
    const needed = rightOf(call);
    const fail = (error: string, isActive = true): SignerReply => {
      return { id, error, isActive, epoch: desk.epoch() };
    };
    if (needed !== null && !held.includes(needed)) {
      return fail(`this client lacks the right "${needed}"`);
    }
    try {
      const from = clock.now();
      const result = await desk.answer(request, held);
      const worked = traceparent === null ? {} : { worked: { from, until: clock.now() } };
      return { id, result, epoch: desk.epoch(), ...worked };
    } catch (error) {
      if (error instanceof NotTheActive) return fail(error.message, false);
      logger.error("request failed", {
        method: call.method,
        error: errorMessage(error),
        ...(traceparent === null ? {} : { traceId: traceparent.split("-")[1] }),
      });
      return fail(errorMessage(error));
    }
  };

  const serveConnection = (socket: Socket, readRights: ReadRights): void => {
    // One after the other, except those that may wait for a wallet program: nothing else waits for them.
    let last: Promise<void> = Promise.resolve();
    let waiting = 0;
    const reply = async (line: string): Promise<void> => {
      const held = await readRights();
      if (held === null) {
        socket.destroy();
        return;
      }
      const answered = await serve(line, held);
      waiting -= 1;
      if (waiting < waitingMax) socket.resume();
      if (socket.writable) socket.write(`${JSON.stringify(answered)}\n`);
    };
    readLines(socket, context.lengthMax, (line) => {
      waiting += 1;
      if (waiting === waitingMax) socket.pause();
      const replied = last
        .then(() => reply(line))
        .catch((error: unknown) => {
          logger.error("connection closed", { error: errorMessage(error) });
          socket.destroy();
        });
      if (!mayTakeLong(line)) last = replied;
    });
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", (error) => {
      logger.debug("connection lost", { error: error.message });
    });
    serveConnection(socket, () => Promise.resolve(rights));
  });
  const close = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      for (const socket of sockets) socket.destroy();
    });
  };
  await listen(server, socketPath);
  await chmod(socketPath, 0o600);
  const { remote } = context;
  if (remote === null) return { port: null, close };

  const { clients } = remote;
  const onClient = (socket: Socket, certificate: PresentedCertificate): void => {
    serveConnection(socket, () => clients.rightsOf(certificate));
  };
  try {
    const listener = await listenRemotely({ ...remote, logger, onClient });
    return {
      port: listener.port,
      close: async () => {
        await Promise.all([listener.close(), close()]);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether a program may have to answer first. Such requests have a queue of their own. */
function mayTakeLong(line: string): boolean {
  const method = parseRequest(line)?.call.method;
  return method === "sign" || method === "claimCoins";
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
