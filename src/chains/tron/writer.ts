import { type Currency, coinAmong, listedTokens } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ChainWriter, ReceiverState } from "../paying-port.ts";
import { excludeBehind } from "../rpc/exclude-behind.ts";
import { accountAt } from "./account.ts";
import { readFunds } from "./account-funds.ts";
import { broadcast } from "./broadcast.ts";
import {
  contractRefusesCoin,
  createTimestamps,
  draftEach,
  draftPayment,
  type TronDrafting,
} from "./draft-payment.ts";
import { newestHeader } from "./questions.ts";
import { quotePayment } from "./quote-payment.ts";
import { isMissingUpTo, readSpendStatus } from "./spend-status.ts";
import type { AskTron, TronNode } from "./tron-node.ts";

export type TronWriterOptions = {
  readonly node: TronNode;
  /** Those of this chain: its coin, and the tokens that have a contract. */
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
};

/** Pays on TRON through java-tron's HTTP interface. Needs no key: each request names the paying account. */
export function createTronWriter({ node, currencies, clock }: TronWriterOptions): ChainWriter {
  const coin = coinAmong(currencies);
  const { consult, excludeBehind: exclude } = excludeBehind<AskTron>(
    (work, signal) => node.consult(work, signal),
    async (ask) => (await ask(newestHeader("walletsolidity")))?.height ?? 0,
  );
  const current: TronNode = { ...node, consult };
  const drafting: TronDrafting = {
    node: current,
    coin,
    currencies,
    nextTimestamp: createTimestamps(clock),
  };
  const listed = listedTokens(currencies);
  return {
    funding: "account",
    coin,
    paymentsMax: 1,
    quote: (request, signal) => quotePayment(drafting, request, signal),
    draft: (request, signal) => draftPayment(drafting, request, signal),
    broadcast: (raw, signal) => broadcast(node, raw, signal),
    status: (txid, _draft, signal) => readSpendStatus(node, listed, txid, signal),
    isMissingUpTo: (txid, draft, block, signal) => isMissingUpTo(node, txid, draft, block, signal),
    changeOf: null,
    account: {
      excludeBehind: exclude,
      nextSequence: null,
      funds: (address, currency, _confirmations, signal) =>
        readFunds(current, currencies, { address, currency }, signal),
      receiver: async ({ address }, currency, signal): Promise<ReceiverState> => {
        if (currency !== coin) return { kind: "ready" };
        const account = await node.consult((ask) => ask(accountAt("wallet", address)), signal);
        if (account === null) return { kind: "needsActivation", minimumUnits: 1n };
        return account.isContract
          ? { kind: "impossible", member: "address", reason: contractRefusesCoin }
          : { kind: "ready" };
      },
      draftEach: (address, payments, ceiling, signal) =>
        draftEach(drafting, address, payments, ceiling, signal),
      broadcastEach: (raws, signal) => Promise.all(raws.map((raw) => broadcast(node, raw, signal))),
    },
  };
}
