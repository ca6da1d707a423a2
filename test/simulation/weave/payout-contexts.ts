import type { Principal } from "../../../src/accounts/principal.ts";
import type { FindRate } from "../../../src/currencies/rates/current-rate.ts";
import type { ApproveContext } from "../../../src/payouts/approve/approve-payout.ts";
import type { CancelContext } from "../../../src/payouts/cancel-payout.ts";
import type { CreatePayoutContext } from "../../../src/payouts/create/create-payout.ts";
import { createReadPayoutFacts } from "../../../src/payouts/create/facts.store.ts";
import { createFindInternalDestination } from "../../../src/payouts/create/internal-destination.store.ts";
import { createPayoutWriter } from "../../../src/payouts/create/write-payouts.ts";
import type { SendContext } from "../../../src/payouts/send/send-context.ts";
import type { Database } from "../../../src/platform/db/database.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { withdrawSpend } from "../../../src/treasury/spends/withdraw-spend.ts";
import { ownerOf } from "../../support/deposit-world.ts";
import { type PayoutSite, sendContext, simulatedChainName } from "../../support/payout-site.ts";
import { payoutSeal } from "../../support/payout-world.ts";
import type { Weaver } from "./weaver.ts";

/* What programs of a payout site need, each with a database of its own. */

const findRate: FindRate = () => Promise.resolve(null);
const freezeRates = () => Promise.resolve(findRate);
const payInternally = (): Promise<void> =>
  Promise.reject(new Error("no payout stays inside the service here"));

/** The network fee of every payout, in units of the coin. */
export const feeUnits = 10n;

export function creatingContext(site: PayoutSite, db: Database): CreatePayoutContext {
  const { clock, currencies, addressing, signer } = site;
  const keyspace = simulatedChainName.toLowerCase();
  return {
    currencies,
    callbackUrlFault: () => null,
    tokenFees: "operator",
    travelRuleThresholds: new Map(),
    isScreened: false,
    findKeyspace: () => ({
      name: keyspace,
      chain: simulatedChainName,
      addressTypes: [],
      defaultAddressType: "",
    }),
    findPayeeAddressing: () => addressing,
    findRate,
    freezeRates,
    quoteFees: () =>
      Promise.resolve({
        low: feeUnits,
        medium: feeUnits,
        high: feeUnits * 4n,
        dust: 0n,
        warning: null,
        receiver: { kind: "ready" },
      }),
    findPositionFault: () => Promise.resolve(null),
    readFacts: createReadPayoutFacts(db, clock, () => "available"),
    findOwnDestination: createFindInternalDestination(db, () => addressing),
    write: createPayoutWriter({
      db,
      clock,
      random: systemRandom,
      currencies,
      seal: payoutSeal,
      payInternally,
      approve: signer.approve,
      positions: { currencies, max: new Map() },
    }),
  };
}

export function approvingContext(
  { clock, currencies, refunds, signer }: PayoutSite,
  db: Database,
): ApproveContext {
  return {
    db,
    clock,
    currencies,
    refunds,
    freezeRates,
    payInternally,
    random: systemRandom,
    approve: signer.approve,
    positions: { currencies, max: new Map() },
    payoutRevalueAfterSeconds: 900,
    approverMinAgeSeconds: 0,
  };
}

export function cancellingContext(
  { clock, currencies, refunds, listener }: PayoutSite,
  db: Database,
): CancelContext {
  return {
    db,
    clock,
    currencies,
    refunds,
    random: systemRandom,
    withdrawFromSpend: (tx, spendId, now) => withdrawSpend(tx, listener, spendId, now),
  };
}

/** Another member than the one who requests, and one whose payouts need an approval. */
export function membersOf({
  accountId,
}: PayoutSite): Readonly<Record<"owner" | "approver" | "asker", Principal>> {
  const owner = ownerOf(accountId);
  return {
    owner,
    approver: { ...owner, memberId: "2", role: "admin" },
    asker: { ...owner, memberId: "5", role: "withdrawals_with_approval" },
  };
}

/** The server whose turns are the signer's operations on its disk. */
export const signerProgram = "signer";

/** A worker whose calls to the node are turns of the weaver, and whose calls to the signer are several. */
export function workerContext(
  site: PayoutSite,
  program: string,
  db: Database,
  weaver: Weaver,
): SendContext {
  const { writer } = site.node;
  const { account } = writer;
  const turn = <Result>(what: string, work: () => Promise<Result>): Promise<Result> =>
    weaver.outside(program, what, work);
  const ask = <Result>(what: string, work: () => Promise<Result>): Promise<Result> =>
    weaver.ask(program, signerProgram, what, work);
  return sendContext(site, {
    db,
    signer: {
      sign: (request) => ask("sign", () => site.signer.sign(request)),
      signedSpends: (...asked) => ask("read journal", () => site.signer.signedSpends(...asked)),
      payoutsSigned: (ids) => ask("ask signer", () => site.signer.payoutsSigned(ids)),
    },
    writer: {
      ...writer,
      draft: (...asked) => turn("draft", () => writer.draft(...asked)),
      broadcast: (...asked) => turn("broadcast", () => writer.broadcast(...asked)),
      status: (...asked) => turn("ask status", () => writer.status(...asked)),
      account:
        account === null
          ? null
          : {
              ...account,
              draftEach: (...asked) => turn("draft", () => account.draftEach(...asked)),
              broadcastEach: (...asked) => turn("broadcast", () => account.broadcastEach(...asked)),
            },
    },
  });
}
