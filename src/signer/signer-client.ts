import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type Clock, type Instant, instantFromSeconds } from "../platform/kernel/clock.ts";
import { errorMessage } from "../platform/kernel/error-message.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type { CoinClaims, SignedPayout, SignedSpend, SignOutcome, SignRequest } from "./intent.ts";
import { readLines } from "./journal/read-lines.ts";
import {
  type AccountKey,
  type CreateOutcome,
  type DatabaseMark,
  type IssuedRange,
  type MarkOutcome,
  parseReply,
  type RecordOutcome,
  replyLengthMax,
  type SignerCall,
} from "./protocol.ts";
import type { Right } from "./remote/rights.ts";
import { connectTo, type SignerAddress } from "./signer-address.ts";

/**
 * The signer as other processes see it. Every method rejects with `Unavailable` if the signer does not answer in time, reports
 * a failure, or the connection breaks; the next call reconnects. Whether a call with a lost answer took effect is unknown:
 * nothing is sent twice. For `sign` this is harmless: asked again, it gives the same bytes.
 */
export type SignerClient = {
  readonly accountKeys: () => Promise<readonly AccountKey[]>;
  /** What this client may do; calls that need another right are refused. */
  readonly rights: () => Promise<readonly Right[]>;
  /** Null before the first address of the kind. */
  readonly highestIssued: (keyspace: string, addressType: string) => Promise<number | null>;
  /** Resolves `recorded` once the range is in the signer's journal on disk. */
  readonly recordIssued: (range: IssuedRange) => Promise<RecordOutcome>;
  /** Resolves `created` once the range is in the signer's journal on disk; its keys are then never created again. */
  readonly createKeys: (range: IssuedRange) => Promise<CreateOutcome>;
  /**
   * Resolves `signed` once the spend is in the signer's journal on disk, and `refused` if nothing was signed and, for this
   * request, nothing ever will be under the signer's present policy.
   */
  readonly sign: (request: SignRequest) => Promise<SignOutcome>;
  /** See `LateDraftSigner.claimCoins`; it may take as long as `sign`. */
  readonly claimCoins: (chain: string, coins: string) => Promise<CoinClaims | null>;
  /**
   * Spends of the chain in the signer's journal after that `sequence` (0: from the first), oldest first; a page, empty at the
   * end.
   */
  readonly signedSpends: (chain: string, afterSequence: number) => Promise<readonly SignedSpend[]>;
  /** Those of the payouts (at most 10,000) for which the signer ever signed a transaction. */
  readonly payoutsSigned: (payoutIds: readonly string[]) => Promise<readonly SignedPayout[]>;
  /** The database's mark when the signer last heard of it; null before the first one. */
  readonly readMark: () => Promise<DatabaseMark | null>;
  /** Resolves `marked` once the mark is on the signer's disk. */
  readonly mark: (mark: DatabaseMark) => Promise<MarkOutcome>;
  /** When the two certificates of the open connection expire; null without a connection, or over a Unix socket. */
  readonly certificateExpiries: () => { readonly client: Instant; readonly signer: Instant } | null;
  readonly close: () => void;
};

type Waiting = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Throws `Unavailable` if this client's certificate cannot be read. */
function connectOrReject(address: SignerAddress): Socket {
  try {
    return connectTo(address);
  } catch (error) {
    throw new Unavailable("signer", errorMessage(error));
  }
}

/** Null before the handshake. */
function expiriesOf(socket: TLSSocket): ReturnType<SignerClient["certificateExpiries"]> {
  const client = socket.getX509Certificate();
  const signer = socket.getPeerX509Certificate();
  if (client === undefined || signer === undefined) return null;
  const expiry = ({ validToDate }: X509Certificate): Instant =>
    instantFromSeconds(validToDate.getTime() / 1000);
  return { client: expiry(client), signer: expiry(signer) };
}

/** Creates a client of the signer; it connects at the first call, and again after the connection broke. */
export function createSignerClient(options: {
  readonly address: SignerAddress;
  readonly clock: Clock;
  /** The time limit of a call, including connecting; the signer syncs a file for some of them. */
  readonly timeoutMs?: number;
  /** The time limit of signing: there may be some hundred inputs, each with its own key. */
  readonly signTimeoutMs?: number;
}): SignerClient {
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

  const socketInUse = (): Socket => {
    if (open !== null) return open;
    const socket = connectOrReject(options.address);
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

  const roundTrip = async (
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
      // After a lost answer the connection may be out of step.
      if (waiting.has(id)) drop(socket, `no answer to ${call.method}`);
    });
    try {
      return await answer;
    } finally {
      answered.abort();
    }
  };

  return {
    accountKeys: async () => (await roundTrip({ method: "accountKeys" })) as readonly AccountKey[],
    rights: async () => (await roundTrip({ method: "rights" })) as readonly Right[],
    highestIssued: async (keyspace, addressType) =>
      (await roundTrip({ method: "highestIssued", keyspace, addressType })) as number | null,
    recordIssued: async (range) =>
      (await roundTrip({ method: "recordIssued", ...range })) as RecordOutcome,
    createKeys: async (range) =>
      (await roundTrip({ method: "createKeys", ...range })) as CreateOutcome,
    sign: async (request) =>
      (await roundTrip(
        { method: "sign", request },
        options.signTimeoutMs ?? 60_000,
      )) as SignOutcome,
    claimCoins: async (chain, coins) =>
      (await roundTrip(
        { method: "claimCoins", chain, coins },
        options.signTimeoutMs ?? 60_000,
      )) as CoinClaims | null,
    signedSpends: async (chain, after) =>
      (await roundTrip({ method: "signedSpends", chain, after })) as readonly SignedSpend[],
    payoutsSigned: async (payoutIds) =>
      (await roundTrip({ method: "payoutsSigned", payoutIds })) as readonly SignedPayout[],
    readMark: async () => (await roundTrip({ method: "readMark" })) as DatabaseMark | null,
    mark: async (mark) => (await roundTrip({ method: "mark", ...mark })) as MarkOutcome,
    certificateExpiries: () => (open instanceof TLSSocket ? expiriesOf(open) : null),
    close: () => {
      if (open !== null) drop(open, "the client was closed");
    },
  };
}
