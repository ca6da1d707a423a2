import { singleFlight } from "../../platform/kernel/single-flight.ts";
import type { AccountFunds, ChainWriter } from "../paying-port.ts";
import { excludeBehind } from "../rpc/exclude-behind.ts";
import { createBroadcaster } from "./broadcast.ts";
import { paymentsMax } from "./build-order.ts";
import {
  draftEach,
  draftPayments,
  quotePayment,
  refusalOf,
  type TonDrafting,
} from "./draft-payment.ts";
import { nextNumber, readCoinFunds, readJettonFunds } from "./funds.ts";
import { readNetworkPrices } from "./network-prices.ts";
import { accountState, masterchainInfo } from "./questions.ts";
import { type TonReaderOptions, watchedAccounts } from "./reader.ts";
import { isMissingUpTo, readSpendStatus } from "./spend-status.ts";
import type { AskToncenter } from "./toncenter-node.ts";

export type TonWriterOptions = Pick<
  TonReaderOptions,
  "accounts" | "clock" | "currencies" | "network" | "node"
> & {
  /** The public key of the hot wallet; null for a writer that only quotes. */
  readonly hotKey: Uint8Array | null;
};

/** The network's prices change by a vote of its validators, so they are asked for once in this time. */
const pricesSeconds = 10;
const never = new AbortController().signal;

/** Pays on TON through toncenter's API v2, by a highload wallet v3, whose messages make many payments. Each of them arrives or comes back alone. */
export function createTonWriter(options: TonWriterOptions): ChainWriter {
  const { clock, hotKey, node } = options;
  const watched = watchedAccounts(options);
  const { coin, wallets } = watched;
  const prices = singleFlight(
    () => node.consult(readNetworkPrices, never),
    clock,
    pricesSeconds,
    pricesSeconds / 2,
  );
  const upToDate = excludeBehind<AskToncenter>(
    (work, signal) => node.consult(work, signal),
    async (ask) => (await ask(masterchainInfo)).height,
  );
  const drafting: TonDrafting = {
    node: { ...node, consult: upToDate.consult },
    watched,
    hotKey,
    prices,
  };
  const broadcast = createBroadcaster(node, watched);
  return {
    funding: "account",
    coin,
    paymentsMax,
    quote: (request) => quotePayment(drafting, request),
    draft: (request, signal) => draftPayments(drafting, request, signal),
    broadcast,
    status: (txid, draft, signal) =>
      node.consult((ask) => readSpendStatus(ask, watched, txid, draft), signal),
    isMissingUpTo: (txid, draft, block, signal) =>
      node.consult((ask) => isMissingUpTo(ask, watched, txid, draft, block), signal),
    changeOf: null,
    account: {
      excludeBehind: upToDate.excludeBehind,
      nextSequence: (address, signal) =>
        upToDate.consult((ask) => nextNumber(ask, address), signal),
      numbersOnce: true,
      keepsReserve: true,
      funds: (address, currency, _confirmations, signal): Promise<AccountFunds> =>
        upToDate.consult(async (ask) => {
          if (currency === coin) {
            const { reserved, units } = await readCoinFunds(ask, address);
            return { latest: units, final: units, reserved };
          }
          const wallet = await wallets.walletOf(ask, address, currency);
          const units = await readJettonFunds(ask, wallet);
          return { latest: units, final: units, reserved: 0n };
        }, signal),
      receiver: async ({ address }, _currency, signal) => {
        const reason = refusalOf(
          await node.consult((ask) => ask(accountState(address, null)), signal),
        );
        return reason === null
          ? { kind: "ready" }
          : { kind: "impossible", member: "address", reason };
      },
      draftEach: (address, each, ceiling, signal) =>
        draftEach(
          drafting,
          address,
          each.map(({ payment }) => [payment]),
          ceiling,
          signal,
        ),
      batching: {
        state: () => Promise.resolve({ kind: "ready", pendingMax: null }),
        // Coin and jettons may be in one message.
        keysOf: (_address, payments) => Promise.resolve(payments.map(() => "")),
        isAtomic: false,
        draftEach: (address, batches, ceiling, signal) =>
          draftEach(
            drafting,
            address,
            batches.map(({ payments }) => payments),
            ceiling,
            signal,
          ),
      },
      broadcastEach: (raws, signal) => Promise.all(raws.map((raw) => broadcast(raw, signal))),
    },
  };
}
