import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import type { JsonValue } from "../../src/platform/kernel/json.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { ChainSigner } from "../../src/signer/draft-signer.ts";
import type {
  ApprovedPayout,
  PayoutIntent,
  SignOutcome,
  SignRequest,
  SpendIntent,
} from "../../src/signer/intent.ts";
import { createApprovalKey, readApprovalKey } from "../../src/signer/keys/approval-key.ts";
import { deriveKeys } from "../../src/signer/keys/derive-keys.ts";
import { sealKeys } from "../../src/signer/keys/key-ring.ts";
import { type OpenedSigning, openSigning } from "../../src/signer/open-signing.ts";
import type { FindAsset } from "../../src/signer/signer-policy.ts";
import { manualClock } from "./manual-clock.ts";
import { createPlainDraftSigner, type PlainDraft } from "./plain-draft-signer.ts";

type SigningOptions = {
  readonly limits?: JsonValue;
  readonly approvalKeys?: readonly string[];
  /** Absent: those of the plain chains. */
  readonly draftSigners?: readonly ChainSigner[];
};

/** Signing in folders of a temporary directory, over the plain chains BTC and LTC, with an approval key. */
export type SignerSite = {
  readonly newFolder: () => Promise<string>;
  readonly open: (folder: string, clock: Clock, options?: SigningOptions) => Promise<OpenedSigning>;
  /** Opens signing in a new folder while `use` runs. */
  readonly withSigning: <Result>(
    use: (opened: OpenedSigning, folder: string) => Promise<Result>,
    clock?: Clock,
    options?: SigningOptions,
  ) => Promise<Result>;
  readonly approvalKey: () => string;
  readonly approved: (intent: PayoutIntent) => ApprovedPayout;
};

/** The plain chains have a coin each, 1000 on BTC and 1003 on LTC; so have others with a draft signer of their own. */
export const plainAsset: FindAsset = (chain, currency) =>
  ({ BTC: "1000", LTC: "1003", ETH: "1001", TON: "1140" })[chain] === currency
    ? { kind: "coin" }
    : null;

/** Of this the keys of the site are derived. A new array each time, since those who take it overwrite it. */
export const siteEntropy = (): Uint8Array => new Uint8Array(32).fill(7);

export function useSignerSite(): SignerSite {
  let home = "";
  let key: Awaited<ReturnType<typeof readApprovalKey>> | null = null;
  const ownKey = () => {
    if (key === null) throw new Error("before the tests");
    return key;
  };
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "sluice-signing-"));
    await createApprovalKey(join(home, "approval.key"), systemRandom);
    key = await readApprovalKey(join(home, "approval.key"));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  const newFolder = (): Promise<string> => mkdtemp(join(home, "signer-"));
  const open: SignerSite["open"] = (
    folder,
    clock,
    { limits = "none", approvalKeys = [ownKey().publicKey], draftSigners } = {},
  ) => {
    const keys = sealKeys(siteEntropy(), systemRandom);
    const { spendJournalKey } = deriveKeys(siteEntropy(), "test", []);
    return openSigning(
      {
        folder,
        approvalKeys,
        limitsWhenAbsent: limits,
        findAsset: plainAsset,
        draftSigners: (coldOf) =>
          draftSigners ??
          ["BTC", "LTC"].map((chain) => createPlainDraftSigner(chain, coldOf(chain))),
      },
      { keys, spendJournalKey, clock, logger: silentLogger },
    );
  };

  return {
    newFolder,
    open,
    withSigning: async (use, clock = manualClock(), options = {}) => {
      const folder = await newFolder();
      const opened = await open(folder, clock, options);
      try {
        return await use(opened, folder);
      } finally {
        await opened.close();
      }
    },
    approvalKey: () => ownKey().publicKey,
    approved: (intent) => ({
      ...intent,
      approval: Buffer.from(ownKey().approve(intent)).toString("base64"),
    }),
  };
}

/** A payout of `units` on BTC, to an address of its own. */
export function payoutOf(payoutId: string, units = "1000"): PayoutIntent {
  return {
    payoutId,
    chain: "BTC",
    address: `receiver-${payoutId}`,
    tag: null,
    currency: "1000",
    asset: { kind: "coin" },
    units,
  };
}

/** Requests signatures of payouts that use `claims`. */
export function payoutRequest(
  spendId: string,
  payouts: readonly ApprovedPayout[],
  claims: readonly string[],
  fee = "10",
): SignRequest {
  const intent = { kind: "payout", spendId, chain: "BTC", feeCeiling: "1000000", payouts } as const;
  return requestOf(intent, claims, payouts, fee);
}

/** The same with a draft that claims nothing and expires at that time, in microseconds since 1970. */
export function expiringRequest(
  spendId: string,
  payouts: readonly ApprovedPayout[],
  until: number,
): SignRequest {
  const { body, ...rest } = payoutRequest(spendId, payouts, []);
  return { ...rest, body: { ...body, until } };
}

/** Requests another kind of spend, with a draft that pays `outputs`. */
export function requestOf(
  intent: SpendIntent,
  claims: readonly string[],
  outputs: readonly { readonly address: string; readonly units: string }[] = [],
  fee = "10",
): SignRequest {
  const body: PlainDraft = {
    inputs: claims,
    outputs: outputs.map(({ address, units }) => ({ address, units })),
    fee,
  };
  return { intent, body, claims };
}

/** Why the signer refused; empty if it did not. */
export const reasonOf = (outcome: SignOutcome): string =>
  outcome.kind === "refused" ? outcome.reason : "";
