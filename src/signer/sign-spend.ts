import type { KeyObject } from "node:crypto";
import type { Clock, Instant } from "../platform/kernel/clock.ts";
import { errorMessage } from "../platform/kernel/error-message.ts";
import type { Logger } from "../platform/kernel/logger.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import {
  assertApproved,
  assertSharesClaims,
  inspectDraft,
  isSameRequest,
  Refusal,
} from "./check-request.ts";
import { type ChainSigner, DraftRefused } from "./draft-signer.ts";
import type {
  ClaimAnswer,
  ClaimedCoins,
  SignedSpend,
  SignOutcome,
  SignRequest,
  SpendIntent,
} from "./intent.ts";
import { addedFee } from "./journal/added-fee.ts";
import { type AuditEntry, type AuditLog, reasonLengthMax } from "./journal/audit-log.ts";
import { createSerialQueue } from "./journal/serial-queue.ts";
import { payoutIdsOf, type SpendJournal } from "./journal/spend-journal.ts";
import type { SpendTotals } from "./journal/spend-totals.ts";
import type { SealedKeys } from "./keys/key-ring.ts";
import type { SignerLimits } from "./limits-file.ts";
import { readSignRequest } from "./read-sign-request.ts";
import {
  type FindAsset,
  feeCeiling,
  findChainLimits,
  refuseIntent,
  refuseTotals,
} from "./signer-policy.ts";

export type SigningContext = {
  readonly draftSigners: readonly ChainSigner[];
  /** Ed25519 public keys; several while one replaces another. */
  readonly approvalKeys: readonly KeyObject[];
  /** Null if none are configured; then nothing is signed. */
  readonly limits: SignerLimits | null;
  readonly findAsset: FindAsset;
  readonly keys: SealedKeys;
  readonly journal: SpendJournal;
  readonly totals: SpendTotals;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type Signing = {
  /**
   * Checks a request and signs it. What it signs is in the journal and in the audit log on disk before this resolves. Rejects
   * if either cannot be written; then nothing is signed until the next start.
   */
  readonly sign: (request: unknown) => Promise<SignOutcome>;
  /** See `LateDraftSigner.claimCoins`. Rejects if the chain's signer computes none. */
  readonly claimCoins: (
    chain: string,
    coins: string,
    which: ClaimedCoins,
    addresses: number | null,
  ) => Promise<ClaimAnswer>;
  /** Resolves when nothing is in progress. */
  readonly idle: () => Promise<void>;
};

/** Creates the signing function. Requests are checked one after the other, since each depends on what was signed before it. */
export function createSigning(context: SigningContext): Signing {
  const { audit, clock } = context;
  const inTurn = createSerialQueue();

  const handle = async (value: unknown): Promise<SignOutcome> => {
    audit.assertWritable();
    const read = readSignRequest(value);
    const now = clock.now();
    const intent = "request" in read ? read.request.intent : null;
    const appendAudit = (
      fields: Pick<AuditEntry, "outcome"> & Partial<AuditEntry>,
    ): Promise<void> => audit.append({ ...describeForAudit(intent, now), ...fields });
    try {
      if ("fault" in read) throw new Refusal(read.fault);
      const { spend, isNew } = await checkAndSign(context, read.request, now);
      const { txid, raw, sequence } = spend;
      await appendAudit({ outcome: isNew ? "signed" : "repeated", txid, sequence });
      return { kind: "signed", txid, raw };
    } catch (error) {
      const reason = errorMessage(error).slice(0, reasonLengthMax);
      const isRefused = error instanceof Refusal || error instanceof DraftRefused;
      await appendAudit({ outcome: isRefused ? "refused" : "failed", reason });
      if (!isRefused) throw error;
      return { kind: "refused", reason };
    }
  };

  const claimCoins: Signing["claimCoins"] = async (chain, coins, which, addresses) => {
    const signer = context.draftSigners.find((candidate) => candidate.chain === chain);
    if (signer === undefined || !("claimCoins" in signer))
      throw new Error(`the signer computes no claims of ${chain}`);
    return context.keys.lend((keys) => signer.claimCoins(coins, which, addresses, keys));
  };

  return {
    sign: (value) => inTurn.run(() => handle(value)),
    claimCoins: (chain, coins, which, addresses) =>
      inTurn.run(() => claimCoins(chain, coins, which, addresses)),
    idle: inTurn.idle,
  };
}

/** The intent's part of an audit entry. */
export function describeForAudit(
  intent: SpendIntent | null,
  at: Instant,
): Omit<AuditEntry, "outcome"> {
  return {
    time: formatTimestamp(at),
    kind: intent?.kind ?? null,
    chain: intent?.chain ?? null,
    spendId: intent?.spendId ?? null,
    payoutIds: intent === null ? [] : payoutIdsOf(intent),
    reason: null,
    txid: null,
    sequence: null,
  };
}

async function checkAndSign(
  context: SigningContext,
  request: SignRequest,
  now: Instant,
): Promise<{ readonly spend: SignedSpend; readonly isNew: boolean }> {
  const { intent } = request;
  const rivals = await context.journal.rivals(intent);
  const same = rivals.find((rival) => isSameRequest(rival, request));
  if (same !== undefined) return { spend: same, isNew: false };
  const { signer, limits } = assertConfigured(context, intent);
  const rules = findChainLimits(limits, intent.chain);
  assertApproved(intent, context.approvalKeys);
  assertAllowed(refuseIntent(rules, context.findAsset, intent));
  const { draft, txid, raw } = await context.keys.lend(async (keys) => {
    const bounded = { ...intent, feeCeiling: String(feeCeiling(rules, intent)) };
    const draft = inspectDraft(signer, { ...request, intent: bounded }, keys, context.logger);
    assertSharesClaims(request, draft, rivals);
    const demand = {
      chain: intent.chain,
      newPayouts: context.journal.newPayoutsOf(intent),
      addedFee: addedFee(attemptsOf(intent, rivals), {
        ...draft,
        feeUnits: String(draft.feeUnits),
      }),
    };
    assertAllowed(refuseTotals(rules, demand, context.totals, now));
    return { draft, ...(await signer.sign(request.body, keys, bounded)) };
  });
  const spend = await context.journal.record({
    spendId: intent.spendId,
    kind: intent.kind,
    chain: intent.chain,
    payoutIds: payoutIdsOf(intent),
    claims: request.claims,
    ...(draft.decisive === undefined ? {} : { decisive: draft.decisive }),
    txid,
    raw: Buffer.from(raw).toString("hex"),
    body: request.body,
    feeUnits: String(draft.feeUnits),
    ...(draft.validity === undefined ? {} : { validity: draft.validity }),
    ...(draft.sender === undefined ? {} : { sender: draft.sender }),
    intent,
    signedAt: formatTimestamp(now),
  });
  return { spend, isNew: true };
}

/** Throws if an operator has to configure something first. Not a refusal, which would be final: the same request succeeds later. */
function assertConfigured(
  { limits, draftSigners, approvalKeys }: SigningContext,
  { chain, kind }: SpendIntent,
): { readonly signer: ChainSigner; readonly limits: SignerLimits } {
  const signer = draftSigners.find((candidate) => candidate.chain === chain);
  if (limits === null) throw new Error("the signer has no limits.json: nothing is signed");
  if (signer === undefined) throw new Error(`the signer is not configured for ${chain}`);
  if (kind === "payout" && approvalKeys.length === 0) {
    throw new Error("the signer is configured without an approval key");
  }
  return { signer, limits };
}

function attemptsOf(intent: SpendIntent, rivals: readonly SignedSpend[]): readonly SignedSpend[] {
  return rivals.filter(({ spendId, kind }) => spendId === intent.spendId && kind === intent.kind);
}

function assertAllowed(refusal: string | null): void {
  if (refusal !== null) throw new Refusal(refusal);
}
