import { TransactionEnvelope } from "@stellar/stellar-sdk/xdr";
import { type Currency, coinAmong } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { AccountFunds, AccountLenders, ChainWriter } from "../paying-port.ts";
import { excludeBehind } from "../rpc/exclude-behind.ts";
import { readAccountState } from "./account-state.ts";
import { currenciesByAsset, native } from "./asset.ts";
import { broadcast, broadcastEach } from "./broadcast.ts";
import type { Channel } from "./build-transaction.ts";
import { type Channels, findNextChannels, readChannels } from "./channels.ts";
import { draftEach, draftPayments, quotePayment, type StellarDrafting } from "./draft-payment.ts";
import { createLedgers } from "./ledgers.ts";
import type { StellarNetwork } from "./network.ts";
import { currentFees } from "./pay-questions.ts";
import { keptLedgers } from "./questions.ts";
import { readReceivers } from "./receiver-state.ts";
import { isMissingUpTo, readSpendStatus } from "./spend-status.ts";
import type { AskStellar, StellarNode } from "./stellar-node.ts";
import { networkIdOf, readEnvelope, type StatedTransaction } from "./transaction.ts";
import { readReadiness } from "./trust-lines.ts";

export type StellarWriterOptions = {
  readonly node: StellarNode;
  readonly network: StellarNetwork;
  /** Those of this chain: its coin, and the tokens that have an issuer. */
  readonly currencies: readonly Currency[];
  /** See `StellarDrafting.channels`. */
  readonly channels: Channels;
  readonly clock: Clock;
};

/** Pays on Stellar through stellar-rpc. Needs no key: each request names the paying account. */
export function createStellarWriter(options: StellarWriterOptions): ChainWriter {
  const { node, network, currencies, channels, clock } = options;
  const { lending } = channels;
  const coin = coinAmong(currencies);
  const names = new Map([...currenciesByAsset(currencies)].map(([name, id]) => [id, name]));
  const assetOf = (currency: CurrencyId): string =>
    present(names.get(currency), `the asset of currency ${currency}`);
  const tokens = [...names.values()].filter((name) => name !== native);
  const upToDate = excludeBehind<AskStellar>(
    (work, signal) => node.consult(work, signal),
    async (ask) => (await ask(keptLedgers)).newest,
  );
  const drafting: StellarDrafting = {
    node: { ...node, consult: upToDate.consult },
    coin,
    currencies,
    assetOf,
    tokens,
    channels,
    clock,
  };
  const networkId = networkIdOf(network.passphrase);
  const ledgers = createLedgers(node.chain, networkId);
  const envelopeOf = (raw: Uint8Array): StatedTransaction =>
    readEnvelope(TransactionEnvelope.fromXdr(raw), networkId);
  return {
    funding: "account",
    coin,
    paymentsMax,
    quote: (request, signal) => quotePayment(drafting, request, signal),
    draft: (request, signal) => draftPayments(drafting, request, signal),
    broadcast: (raw, signal) => broadcast(node, envelopeOf, raw, signal),
    status: (txid, draft, signal) =>
      node.consult((ask) => readSpendStatus(ask, node.chain, ledgers, txid, draft), signal),
    isMissingUpTo: (txid, draft, block, signal) =>
      node.consult((ask) => isMissingUpTo(ask, ledgers, txid, draft, block), signal),
    changeOf: null,
    account: {
      excludeBehind: upToDate.excludeBehind,
      nextSequence: async (address, signal) => {
        const account = await upToDate.consult(
          (ask) => readAccountState(ask, address, native),
          signal,
        );
        // An account that does not exist has no money either, so nothing is drafted with this number.
        return (account?.sequence ?? 0n) + 1n;
      },
      funds: async (address, currency, _confirmations, signal): Promise<AccountFunds> => {
        const asset = assetOf(currency);
        const account = await upToDate.consult(
          (ask) => readAccountState(ask, address, asset),
          signal,
        );
        const { units, reserved } = (asset === native ? account?.coin : account?.token) ?? nothing;
        return { latest: units, final: units, reserved: reserved > units ? units : reserved };
      },
      receiver: (destination, currency, signal) => {
        const { alpha: code } = present(
          currencies.find(({ id }) => id === currency),
          "the paid currency",
        );
        const receiver = { destination, asset: assetOf(currency), code };
        return node.consult(async (ask) => {
          const [receiving] = await readReceivers(ask, [receiver]);
          return present(receiving, "the receiver's state").state;
        }, signal);
      },
      readiness: (address, signal) =>
        node.consult((ask) => readReadiness(ask, address, tokens), signal),
      draftEach: (address, payments, ceiling, signal) => {
        const batches = payments.map(({ payment, ...rest }) => ({ payments: [payment], ...rest }));
        return draftEach(drafting, address, batches, ceiling, signal);
      },
      batching: {
        state: () => Promise.resolve({ kind: "ready", pendingMax: 1 }),
        // The memo belongs to the transaction.
        keysOf: (_address, payments) =>
          Promise.resolve(payments.map(({ destination }) => destination.tag ?? "")),
        isAtomic: true,
        draftEach: (...requested) => draftEach(drafting, ...requested),
      },
      // One transaction for each account whose numbers are used, and one that is ready for when a ledger has the hot account's own.
      ...(lending.length === 0
        ? {}
        : { lenders: lendersOf(node, lending), inFlightMax: lending.length + 2 }),
      broadcastEach: (raws, signal) => broadcastEach(node, envelopeOf, raws, signal),
    },
  };
}

function lendersOf(node: StellarNode, channels: readonly Channel[]): AccountLenders {
  let allExist = false;
  const list = (signal: AbortSignal) => node.consult((ask) => readChannels(ask, channels), signal);
  return {
    count: channels.length,
    list,
    canBeMade: async (address, signal) => {
      // Nothing that the signer signs removes one.
      allExist = allExist || (await list(signal)).accounts.length === channels.length;
      if (allExist) return false;
      return await node.consult(async (ask) => {
        const account = await readAccountState(ask, address, native);
        const { high } = await ask(currentFees);
        return (await findNextChannels(ask, account, channels, high)).length > 0;
      }, signal);
    },
  };
}

/** The network takes 100 operations, of which one uses the sequences that the payments claim. */
const paymentsMax = 99;

const nothing = { units: 0n, reserved: 0n };
