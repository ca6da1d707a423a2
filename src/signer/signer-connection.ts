import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type Clock, type Instant, instantFromSeconds } from "../platform/kernel/clock.ts";
import { errorMessage } from "../platform/kernel/error-message.ts";
import { addMeasuredSpan, currentTraceparent } from "../platform/kernel/tracing.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import { readLines } from "./journal/read-lines.ts";
import { parseReply, replyLengthMax, type SignerCall, type SignerReply } from "./protocol.ts";
import { connectTo, type SignerAddress } from "./signer-address.ts";

/** When the two certificates of a connection expire. */
export type CertificateExpiries = { readonly client: Instant; readonly signer: Instant };

/** The signer did nothing, because it is the standby or lost its epoch: the other one may be asked. */
export class NotActive extends Unavailable {}

/** The signer answered that it failed. */
export class SignerFailed extends Unavailable {}

/**
 * A connection to one signer; it connects at the first call, and again after it broke. Calls may be pending together; their
 * answers come in order.
 */
export type SignerConnection = {
  /**
   * Rejects with `Unavailable` if no answer comes in time, the signer reports a failure, or the connection breaks. Whether the
   * call took effect is then unknown, except for `NotActive`.
   */
  readonly call: (call: SignerCall, timeoutMs: number) => Promise<unknown>;
  /** Breaks the connection: everything pending rejects with `message`. */
  readonly drop: (message: string) => void;
  /** Null without a connection, or over a Unix socket. */
  readonly certificateExpiries: () => CertificateExpiries | null;
};

type AnswerOf = Pick<SignerReply, "worked"> & { readonly result: unknown };

type Waiting = {
  readonly resolve: (reply: AnswerOf) => void;
  readonly reject: (error: Error) => void;
};

/** `epochs` keeps the highest epoch that any signer of a pair named; each request repeats it. */
export type KnownEpoch = { highest: number };

/** Creates a connection to the signer at `address`. */
export function createSignerConnection(
  address: SignerAddress,
  clock: Clock,
  epochs: KnownEpoch,
): SignerConnection {
  const waiting = new Map<number, Waiting>();
  let open: Socket | null = null;
  let lastId = 0;

  /** Everything pending on the connection fails with it. */
  const drop = (socket: Socket, message: string): void => {
    socket.destroy();
    if (open !== socket) return;
    open = null;
    const failed = [...waiting.values()];
    waiting.clear();
    for (const { reject } of failed) reject(new Unavailable("signer", message));
  };

  const receive = (socket: Socket, line: string): void => {
    const reply = parseReply(line);
    const call = reply?.id === null || reply === null ? undefined : waiting.get(reply.id);
    if (reply === null || call === undefined) {
      drop(socket, "an answer that cannot be read");
      return;
    }
    if (reply.id !== null) waiting.delete(reply.id);
    // An answer of a signer that lost its epoch to one that this process knows.
    const isStale = reply.epoch < epochs.highest;
    epochs.highest = Math.max(epochs.highest, reply.epoch);
    if ("error" in reply) {
      const { error, isActive } = reply;
      call.reject(isActive ? new SignerFailed("signer", error) : new NotActive("signer", error));
    } else if (isStale) call.reject(new NotActive("signer", "it answered for an earlier epoch"));
    else call.resolve(reply);
  };

  const socketInUse = (): Socket => {
    if (open !== null) return open;
    const socket = connectOrReject(address);
    open = socket;
    socket.on("error", (error) => {
      drop(socket, error.message);
    });
    socket.on("close", () => {
      drop(socket, "the connection was closed");
    });
    readLines(socket, replyLengthMax, (line) => {
      receive(socket, line);
    });
    return socket;
  };

  return {
    call: async (call, timeoutMs) => {
      const socket = socketInUse();
      lastId += 1;
      const id = lastId;
      const answered = new AbortController();
      const answer = new Promise<AnswerOf>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      const traceparent = currentTraceparent();
      const traced = traceparent === null ? {} : { traceparent };
      socket.write(`${JSON.stringify({ id, epoch: epochs.highest, call, ...traced })}\n`);
      void clock.sleep(timeoutMs, answered.signal).then(() => {
        // After a lost answer the connection may be out of step.
        if (waiting.has(id)) drop(socket, `no answer to ${call.method}`);
      });
      try {
        const { result, worked } = await answer;
        if (worked !== undefined)
          addMeasuredSpan({
            name: `signer ${call.method}`,
            service: "sluice-signer",
            startedAt: worked.from,
            endedAt: worked.until,
          });
        return result;
      } finally {
        answered.abort();
      }
    },
    drop: (message) => {
      if (open !== null) drop(open, message);
    },
    certificateExpiries: () => (open instanceof TLSSocket ? expiriesOf(open) : null),
  };
}

/** Throws `Unavailable` if this client's certificate cannot be read. */
function connectOrReject(address: SignerAddress): Socket {
  try {
    return connectTo(address);
  } catch (error) {
    throw new Unavailable("signer", errorMessage(error));
  }
}

/** Null before the handshake. */
function expiriesOf(socket: TLSSocket): CertificateExpiries | null {
  const client = socket.getX509Certificate();
  const signer = socket.getPeerX509Certificate();
  if (client === undefined || signer === undefined) return null;
  const expiry = ({ validToDate }: X509Certificate): Instant =>
    instantFromSeconds(validToDate.getTime() / 1000);
  return { client: expiry(client), signer: expiry(signer) };
}
