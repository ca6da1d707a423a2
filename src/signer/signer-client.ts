import { connect, type Socket } from "node:net";
import type { Clock } from "../platform/kernel/clock.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type { SignedPayout, SignedSpend, SignOutcome, SignRequest } from "./intent.ts";
import { readLines } from "./journal/read-lines.ts";
import {
  type AccountKey,
  type DatabaseMark,
  type IssuedRange,
  type MarkOutcome,
  parseReply,
  type RecordOutcome,
  replyLengthMax,
  type SignerCall,
} from "./protocol.ts";

/**
 * The signer as other processes see it. Every method rejects with `Unavailable` when the signer does not answer in time,
 * says that it failed, or the connection breaks; the next call connects anew. Whether a call whose answer was lost took
 * effect is unknown: nothing is sent twice. For `sign` that is harmless: asked again, it gives the same bytes.
 */
export type SignerClient = {
  readonly accountKeys: () => Promise<readonly AccountKey[]>;
  /** Null before the first address of the kind. */
  readonly highestIssued: (keyspace: string, addressType: string) => Promise<number | null>;
  /** Resolves `recorded` once the range is in the signer's journal on disk. */
  readonly recordIssued: (range: IssuedRange) => Promise<RecordOutcome>;
  /**
   * Resolves `signed` once the spend is in the signer's journal on disk, and `refused` when nothing was signed and, for this
   * request, nothing ever will be under the signer's present policy.
   */
  readonly sign: (request: SignRequest) => Promise<SignOutcome>;
  /** Spends of the chain in the signer's journal, oldest first, after that `sequence` (0: from the first); a page, empty at the end. */
  readonly signedSpends: (chain: string, afterSequence: number) => Promise<readonly SignedSpend[]>;
  /** Those of the payouts (10 000 at most) that the signer ever signed a transaction for. */
  readonly payoutsSigned: (payoutIds: readonly string[]) => Promise<readonly SignedPayout[]>;
  /** How far the database had come when the signer last heard of it; null before the first mark. */
  readonly readMark: () => Promise<DatabaseMark | null>;
  /** Resolves `marked` once the mark is on the signer's disk. */
  readonly mark: (mark: DatabaseMark) => Promise<MarkOutcome>;
  readonly close: () => void;
};

type Waiting = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Speaks to the signer over its socket; connects at the first call, and again after the connection broke. */
export function createSignerClient(options: {
  readonly socketPath: string;
  readonly clock: Clock;
  /** How long a call may take, connecting included; the signer syncs a file for some of them. */
  readonly timeoutMs?: number;
  /** How long signing may take: some hundred inputs, each with a key of its own. */
  readonly signTimeoutMs?: number;
}): SignerClient {
  const waiting = new Map<number, Waiting>();
  let open: Socket | null = null;
  let lastId = 0;

  /** Everything under way on the connection fails with it. */
  const drop = (socket: Socket, message: string): void => {
    socket.destroy();
    if (open !== socket) return;
    open = null;
    const failed = [...waiting.values()];
    waiting.clear();
    for (const { reject } of failed) reject(new Unavailable("signer", message));
  };

  const socketInUse = (): Socket => {
    if (open !== null) return open;
    const socket = connect(options.socketPath);
    open = socket;
    socket.on("error", (error) => {
      drop(socket, error.message);
    });
    socket.on("close", () => {
      drop(socket, "the connection was closed");
    });
    readLines(socket, replyLengthMax, (line) => {
      const reply = parseReply(line);
      const call = reply?.id === null || reply === null ? undefined : waiting.get(reply.id);
      if (reply === null || call === undefined) {
        drop(socket, "an answer that cannot be read");
        return;
      }
      if (reply.id !== null) waiting.delete(reply.id);
      if ("error" in reply) call.reject(new Unavailable("signer", reply.error));
      else call.resolve(reply.result);
    });
    return socket;
  };

  const ask = async (
    call: SignerCall,
    timeoutMs = options.timeoutMs ?? 10_000,
  ): Promise<unknown> => {
    const socket = socketInUse();
    lastId += 1;
    const id = lastId;
    const answered = new AbortController();
    const answer = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
    socket.write(`${JSON.stringify({ id, call })}\n`);
    void options.clock.sleep(timeoutMs, answered.signal).then(() => {
      // After a lost answer the connection cannot be trusted to be in step.
      if (waiting.has(id)) drop(socket, `no answer to ${call.method}`);
    });
    try {
      return await answer;
    } finally {
      answered.abort();
    }
  };

  return {
    accountKeys: async () => (await ask({ method: "accountKeys" })) as readonly AccountKey[],
    highestIssued: async (keyspace, addressType) =>
      (await ask({ method: "highestIssued", keyspace, addressType })) as number | null,
    recordIssued: async (range) =>
      (await ask({ method: "recordIssued", ...range })) as RecordOutcome,
    sign: async (request) =>
      (await ask({ method: "sign", request }, options.signTimeoutMs ?? 60_000)) as SignOutcome,
    signedSpends: async (chain, after) =>
      (await ask({ method: "signedSpends", chain, after })) as readonly SignedSpend[],
    payoutsSigned: async (payoutIds) =>
      (await ask({ method: "payoutsSigned", payoutIds })) as readonly SignedPayout[],
    readMark: async () => (await ask({ method: "readMark" })) as DatabaseMark | null,
    mark: async (mark) => (await ask({ method: "mark", ...mark })) as MarkOutcome,
    close: () => {
      if (open !== null) drop(open, "the client was closed");
    },
  };
}
