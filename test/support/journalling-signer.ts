import { isDeepStrictEqual } from "node:util";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import {
  approvalMessage,
  type PayoutIntent,
  type SignedSpend,
  type SignOutcome,
  type SignRequest,
} from "../../src/signer/intent.ts";
import type { SignerClient } from "../../src/signer/signer-client.ts";
import { signedBy, writeRaw } from "./paying-node.ts";

/*
 * A SIMULATED signer whose journal survives everything, like the real one's. It signs what the real one would: a repeated request
 * gets the same answer, and for a payout or spend that it has signed, only drafts that share a claim with all earlier ones.
 */

/** What histories of payouts need of a signer. */
export type PayoutSigner = Pick<SignerClient, "sign" | "signedSpends" | "payoutsSigned"> & {
  /** The api's approval of a payout. */
  readonly approve: (intent: PayoutIntent) => Uint8Array;
  /** Ends all faults. */
  readonly recover: () => void;
};

export type JournallingSigner = PayoutSigner & {
  readonly journal: readonly SignedSpend[];
  /** Payouts that its policy refuses. */
  readonly forbidden: Set<string>;
  readonly faults: { outage: boolean; answer: "fine" | "lost" };
  /** Its folder is replaced by a copy from before its first signature. */
  readonly forget: () => void;
};

export function createJournallingSigner(): JournallingSigner {
  const journal: SignedSpend[] = [];
  const forbidden = new Set<string>();
  const faults: JournallingSigner["faults"] = { outage: false, answer: "fine" };
  const ask = <Answer>(answer: () => Answer): Promise<Answer> =>
    faults.outage
      ? Promise.reject(new Unavailable("signer", "the simulated signer is off"))
      : new Promise((resolve) => {
          resolve(answer());
        });
  const sign = (request: SignRequest): SignOutcome => {
    const { intent, body, claims } = request;
    const payoutIds =
      intent.kind === "payout" ? intent.payouts.map((payout) => payout.payoutId) : [];
    const rivals = journal.filter(
      (one) =>
        one.chain === intent.chain &&
        ((one.kind === intent.kind && one.spendId === intent.spendId) ||
          one.payoutIds.some((id) => payoutIds.includes(id))),
    );
    const same = rivals.find(
      (rival) => isDeepStrictEqual(rival.body, body) && isDeepStrictEqual(rival.claims, claims),
    );
    if (same !== undefined) return { kind: "signed", txid: same.txid, raw: same.raw };
    const refusal = refusalOf(request, payoutIds, rivals, forbidden);
    if (refusal !== null) return { kind: "refused", reason: refusal };
    const transaction = signedBy(body);
    const signed: SignedSpend = {
      spendId: intent.spendId,
      kind: intent.kind,
      chain: intent.chain,
      payoutIds,
      claims,
      txid: transaction.txid,
      raw: Buffer.from(writeRaw(transaction)).toString("hex"),
      body,
      feeUnits: transaction.feeUnits.toString(),
      ...(transaction.validity === null ? {} : { validity: transaction.validity }),
      ...(transaction.account === null ? {} : { sender: transaction.account.sender }),
      intent,
      sequence: journal.length + 1,
      signedAt: "2026-01-02T03:04:05Z",
    };
    journal.push(signed);
    return { kind: "signed", txid: signed.txid, raw: signed.raw };
  };
  return {
    journal,
    forbidden,
    faults,
    approve: approvalMessage,
    recover: () => Object.assign(faults, { outage: false, answer: "fine" }),
    forget: () => void journal.splice(0),
    sign: (request) =>
      ask(() => {
        const outcome = sign(request);
        if (faults.answer === "lost") throw new Unavailable("signer", "no answer");
        return outcome;
      }),
    signedSpends: (chain, after) =>
      ask(() => journal.filter((one) => one.chain === chain && one.sequence > after).slice(0, 5)),
    payoutsSigned: (payoutIds) =>
      ask(() =>
        payoutIds
          .map((payoutId) => ({
            payoutId,
            txids: journal
              .filter((one) => one.payoutIds.includes(payoutId))
              .map(({ txid }) => txid),
            intents: journal.flatMap(({ intent }) =>
              intent.kind === "payout"
                ? intent.payouts.filter((payout) => payout.payoutId === payoutId)
                : [],
            ),
          }))
          .filter(({ txids }) => txids.length > 0),
      ),
  };
}

function refusalOf(
  { intent, body, claims }: SignRequest,
  payoutIds: readonly string[],
  rivals: readonly SignedSpend[],
  forbidden: ReadonlySet<string>,
): string | null {
  if (payoutIds.some((id) => forbidden.has(id))) return "forbidden by policy";
  const transaction = signedBy(body);
  if (!isDeepStrictEqual([...transaction.claims], [...claims])) return "other claims";
  if (claims.length === 0 && transaction.validity === null) return "never expires";
  if (transaction.feeUnits > BigInt(intent.feeCeiling)) return "burns too much";
  if (intent.kind === "payout") {
    const paid = transaction.outputs.map(({ address, units }) => `${address} ${units}`);
    const isPaid = intent.payouts.every(({ address, units }) =>
      paid.includes(`${address} ${units}`),
    );
    // Change may be in four outputs.
    const isMore = transaction.outputs.length > intent.payouts.length + 4;
    if (!isPaid || isMore) return "does not pay what was approved";
  }
  const untied = rivals.find((rival) => !rival.claims.some((claim) => claims.includes(claim)));
  return untied === undefined ? null : `shares no claim with ${untied.txid}`;
}
