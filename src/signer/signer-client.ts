import type { Clock } from "../platform/kernel/clock.ts";
import { followActive } from "./follow-active.ts";
import type {
  ClaimAnswer,
  ClaimedCoins,
  SignedPayout,
  SignedSpend,
  SignOutcome,
  SignRequest,
} from "./intent.ts";
import type {
  AccountKey,
  CreateOutcome,
  DatabaseMark,
  IssuedRange,
  MarkOutcome,
  PairState,
  RecordOutcome,
  SignerCall,
} from "./protocol.ts";
import type { Right } from "./remote/rights.ts";
import type { SignerAddress } from "./signer-address.ts";
import { type CertificateExpiries, createSignerConnection } from "./signer-connection.ts";

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
  readonly claimCoins: (
    chain: string,
    coins: string,
    which: ClaimedCoins,
    addresses: number,
  ) => Promise<ClaimAnswer>;
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
  /** The pair as its active signer sees it; null for a single signer. */
  readonly pairState: () => Promise<PairState | null>;
  /** When the two certificates of the open connection expire; null without a connection, or over a Unix socket. */
  readonly certificateExpiries: () => CertificateExpiries | null;
  readonly close: () => void;
};

/** Creates a client of the signer; it connects at the first call, and again after the connection broke. */
export function createSignerClient(options: {
  readonly address: SignerAddress;
  /** The other signer of a pair. */
  readonly second?: SignerAddress;
  readonly clock: Clock;
  /** The time limit of a call, including connecting; the signer syncs a file for some of them. */
  readonly timeoutMs?: number;
  /** The time limit of signing: there may be some hundred inputs, each with its own key. */
  readonly signTimeoutMs?: number;
}): SignerClient {
  const { address, second, clock } = options;
  const connection =
    second === undefined
      ? createSignerConnection(address, clock, { highest: 0 })
      : followActive([address, second], clock);
  const roundTrip = (call: SignerCall, timeoutMs = options.timeoutMs ?? 10_000): Promise<unknown> =>
    connection.call(call, timeoutMs);

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
    claimCoins: async (chain, coins, which, addresses) =>
      (await roundTrip(
        { method: "claimCoins", chain, coins, which, addresses },
        options.signTimeoutMs ?? 60_000,
      )) as ClaimAnswer,
    signedSpends: async (chain, after) =>
      (await roundTrip({ method: "signedSpends", chain, after })) as readonly SignedSpend[],
    payoutsSigned: async (payoutIds) =>
      (await roundTrip({ method: "payoutsSigned", payoutIds })) as readonly SignedPayout[],
    readMark: async () => (await roundTrip({ method: "readMark" })) as DatabaseMark | null,
    mark: async (mark) => (await roundTrip({ method: "mark", ...mark })) as MarkOutcome,
    pairState: async () => (await roundTrip({ method: "pairState" })) as PairState | null,
    certificateExpiries: connection.certificateExpiries,
    close: () => {
      connection.drop("the client was closed");
    },
  };
}
