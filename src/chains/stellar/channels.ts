import { assert } from "../../platform/kernel/assert.ts";
import { childOf, readAccountKey } from "../ed25519-child-keys.ts";
import {
  type AccountState,
  newAccountUnits,
  readAccountState,
  spendable,
} from "./account-state.ts";
import { native } from "./asset.ts";
import type { Channel } from "./build-transaction.ts";
import { holdingKey } from "./entries.ts";
import { addressOfKey } from "./payee-addressing.ts";
import { entriesMax, entriesOf } from "./questions.ts";
import type { AskStellar } from "./stellar-node.ts";

/** The channels of a deployment. */
export type Channels = {
  /** Those that lend their sequences, as many as are configured. */
  readonly lending: readonly Channel[];
  /**
   * The channel with that address, also one beyond the configured number: once that is lowered, transactions with its sequences may still be open.
   * Null for any other account.
   */
  readonly find: (address: string) => Channel | null;
};

/** A deployment that only quotes, or whose signer has no key for channels. */
export const noChannels: Channels = { lending: [], find: () => null };

/** No configuration may have more. */
const channelsMax = 200;

/**
 * The channels, of which `count` are configured, by the extended public key of their account: the soft children of that key, from 0. Each is an
 * account without coin, whose reserve the hot account keeps.
 */
export function channelsOf(accountKey: string, count: number): Channels {
  const parent = readAccountKey(accountKey);
  const derive = (number: number): Channel => ({
    address: addressOfKey(childOf(parent, number).publicKey),
    number,
  });
  const lending = Array.from({ length: count }, (_, number) => derive(number));
  let others: readonly Channel[] | null = null;
  return {
    lending,
    find: (wanted) => {
      const isWanted = ({ address }: Channel): boolean => address === wanted;
      const lent = lending.find(isWanted);
      if (lent !== undefined) return lent;
      others ??= Array.from({ length: channelsMax - count }, (_, at) => derive(count + at));
      return others.find(isWanted) ?? null;
    },
  };
}

/** Those that exist in the newest ledger, with the sequence that their next transaction uses. */
export async function readChannels(
  ask: AskStellar,
  channels: readonly Channel[],
): Promise<{
  readonly height: number;
  readonly accounts: readonly { readonly address: string; readonly next: bigint }[];
}> {
  assert(channels.length <= entriesMax, "channels that a node shows at once");
  const keys = channels.map(({ address }) => holdingKey(address, native));
  const { height, entries } = await ask(entriesOf(keys));
  const accounts = channels.flatMap(({ address }, place) => {
    const entry = entries[place];
    return entry?.type === "account" ? [{ address, next: entry.account.seqNum + 1n }] : [];
  });
  return { height, accounts };
}

/** An account has two entries for itself, whose reserve the hot account keeps for each channel. The signer lets it sponsor nothing else. */
const entriesOfChannel = 2;

/** How many channels the account has, and how many more it can keep the reserve of. Needs no key. */
export async function countChannels(
  ask: AskStellar,
  address: string,
): Promise<{ readonly made: number; readonly affordable: number }> {
  const account = await readAccountState(ask, address, native);
  if (account === null) return { made: 0, affordable: 0 };
  const affordable = Number(spendable(account.coin) / newAccountUnits);
  return { made: Math.floor(account.sponsoring / entriesOfChannel), affordable };
}

/** A transaction has at most 20 signatures, and each channel signs the one that makes it. */
const madeAtOnce = 19;

/** Operations of that transaction, with one that uses further sequences. */
const operationsMax = BigInt(3 * madeAtOnce + 1);

/**
 * The channels to be made next: of those that do not exist, as many as fit into a transaction and as the account can keep the reserve of,
 * besides a fee of so much for each operation.
 */
export async function findNextChannels(
  ask: AskStellar,
  account: AccountState | null,
  channels: readonly Channel[],
  operationFee: bigint,
): Promise<readonly Channel[]> {
  if (channels.length === 0 || account === null) return [];
  const { accounts } = await readChannels(ask, channels);
  const existing = new Set(accounts.map(({ address }) => address));
  const missing = channels.filter(({ address }) => !existing.has(address));
  const free = spendable(account.coin) - operationFee * operationsMax;
  const affordable = Number(free / newAccountUnits);
  return missing.slice(0, Math.max(0, Math.min(madeAtOnce, affordable)));
}
