import { type Currency, coinAmong } from "../../currencies/currency.ts";
import type { ChainWriter } from "../paying-port.ts";
import { excludeBehind } from "../rpc/exclude-behind.ts";
import { readFunds } from "./account-funds.ts";
import { broadcast, broadcastEach } from "./broadcast.ts";
import { draftEach, draftPayment, quotePayment, type XrplDrafting } from "./draft-payment.ts";
import type { XrplNetwork } from "./network.ts";
import { accountIn, validatedHeader } from "./questions.ts";
import { accountFlag, readReceiver } from "./receiver-state.ts";
import type { AskRippled, RippledNode } from "./rippled-node.ts";
import { isMissingUpTo, readSpendStatus } from "./spend-status.ts";

export type XrplWriterOptions = {
  readonly node: RippledNode;
  readonly network: XrplNetwork;
  readonly currencies: readonly Currency[];
};

/** A ledger comes every three to five seconds, so 64 would be less than 20 payouts a second. Servers put no limit on one account's in the open ledger. */
const inFlightMax = 200;

/** Pays on the XRP Ledger through rippled or Clio. Needs no key: each request names the paying account. */
export function createXrplWriter({ node, network, currencies }: XrplWriterOptions): ChainWriter {
  const coin = coinAmong(currencies);
  const upToDate = excludeBehind<AskRippled>(
    (work, signal) => node.consult(work, signal),
    async (ask) => (await ask(validatedHeader)).height,
  );
  const drafting: XrplDrafting = { node: { ...node, consult: upToDate.consult }, network, coin };
  return {
    funding: "account",
    coin,
    paymentsMax: 1,
    quote: (request, signal) => quotePayment(drafting, request, signal),
    draft: (request, signal) => draftPayment(drafting, request, signal),
    broadcast: (raw, signal) => broadcast(node, raw, signal),
    status: (txid, draft, signal) => readSpendStatus(node, txid, draft, signal),
    isMissingUpTo: (txid, draft, block, signal) => isMissingUpTo(node, txid, draft, block, signal),
    changeOf: null,
    account: {
      inFlightMax,
      excludeBehind: upToDate.excludeBehind,
      nextSequence: async (address, signal) => {
        // An account that does not exist has no money either, so nothing is drafted with this number.
        const root = await upToDate.consult((ask) => ask(accountIn("validated", address)), signal);
        return BigInt(root?.sequence ?? 0);
      },
      funds: (address, _currency, _confirmations, signal) =>
        readFunds(upToDate.consult, address, signal),
      receiver: (destination, _currency, signal) => readReceiver(node, destination, signal),
      readiness: async (address, signal) => {
        const root = await node.consult((ask) => ask(accountIn("validated", address)), signal);
        if (root === null) return "missing";
        return (root.flags & accountFlag.requireDestinationTag) === 0 ? "needsSetUp" : "ready";
      },
      draftEach: (address, payments, ceiling, signal) =>
        draftEach(drafting, address, payments, ceiling, signal),
      broadcastEach: (raws, signal) => broadcastEach(node, raws, signal),
    },
  };
}
