import { type Currency, coinAmong, contractAmong } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { AccountFunds, ChainWriter } from "../paying-port.ts";
import type { AlgodNode } from "./algod-node.ts";
import { createBlocks } from "./blocks.ts";
import { broadcast } from "./broadcast.ts";
import { type AlgorandDrafting, draftEach, draftPayment, quotePayment } from "./draft-payment.ts";
import { accountAt, holdingAt } from "./questions.ts";
import { readReceiver } from "./receiver-state.ts";
import { isMissingUpTo, readSpendStatus } from "./spend-status.ts";
import { createUpToDateNode, type UpToDateNode } from "./up-to-date-node.ts";

export type AlgorandWriterOptions = {
  readonly node: AlgodNode;
  /** Those of this chain: its coin, and the tokens that have an asset id. */
  readonly currencies: readonly Currency[];
  /** The nodes that say what accounts have, shared with the chain's other parts; absent: the writer's own. */
  readonly upToDate?: UpToDateNode;
};

/** Pays on Algorand through algod. Needs no key: each request names the paying account. */
export function createAlgorandWriter({
  node,
  currencies,
  upToDate = createUpToDateNode(node),
}: AlgorandWriterOptions): ChainWriter {
  const coin = coinAmong(currencies);
  const { excludeBehind, node: current } = upToDate;
  const drafting: AlgorandDrafting = { node: current, coin, currencies };
  const blocks = createBlocks(node.chain);
  return {
    funding: "account",
    coin,
    paymentsMax: 1,
    quote: (request, signal) => quotePayment(drafting, request, signal),
    draft: (request, signal) => draftPayment(drafting, request, signal),
    broadcast: (raw, signal) => broadcast(node, raw, signal),
    status: (txid, draft, signal) =>
      node.consult((ask) => readSpendStatus(ask, node.chain, blocks, txid, draft), signal),
    isMissingUpTo: (txid, draft, block, signal) =>
      node.consult((ask) => isMissingUpTo(ask, blocks, txid, draft, block), signal),
    changeOf: null,
    account: {
      nextSequence: null,
      excludeBehind,
      funds: async (address, currency, _confirmations, signal): Promise<AccountFunds> => {
        const asset = contractAmong(currencies, currency);
        if (asset !== null) {
          const units =
            (await current.consult((ask) => ask(holdingAt(address, asset)), signal))?.units ?? 0n;
          return { latest: units, final: units, reserved: 0n };
        }
        const { units, minimumUnits } = await current.consult(
          (ask) => ask(accountAt(address)),
          signal,
        );
        return { latest: units, final: units, reserved: minBigInt(units, minimumUnits) };
      },
      receiver: ({ address }, currency, signal) => {
        const { alpha: code } = present(
          currencies.find(({ id }) => id === currency),
          "the paid currency",
        );
        const asset = contractAmong(currencies, currency);
        return node.consult((ask) => readReceiver(ask, address, { asset, code }), signal);
      },
      draftEach: (address, payments, ceiling, signal) =>
        draftEach(drafting, address, payments, ceiling, signal),
      broadcastEach: (raws, signal) => Promise.all(raws.map((raw) => broadcast(node, raw, signal))),
    },
  };
}
