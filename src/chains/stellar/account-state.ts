import { type LedgerEntryData, LedgerKey, LedgerKeyData } from "@stellar/stellar-sdk/xdr";
import { Malformed } from "../rpc/answer.ts";
import { native } from "./asset.ts";
import { holdingKey, publicKeyOf } from "./entries.ts";
import { entriesMax, entriesOf } from "./questions.ts";
import type { AskStellar } from "./stellar-node.ts";

/** What an account holds of an asset, and what of it the chain does not let it spend. */
export type Holding = {
  readonly units: bigint;
  /** The account's reserve, and what its offers would sell; all of a token that its issuer does not let the account use. */
  readonly reserved: bigint;
};

/** An account of the newest ledger, with its holding of one asset. */
export type AccountState = {
  /** The sequence that its newest transaction used. */
  readonly sequence: bigint;
  readonly coin: Holding;
  /** Null for coin, and without a trust line. `room`: how many units more it may hold. */
  readonly token: (Holding & { readonly isAuthorized: boolean; readonly room: bigint }) | null;
  /** Whether it wants a memo with every payment (SEP-29). */
  readonly wantsMemo: boolean;
  /** How many entries of others it keeps the reserve of. */
  readonly sponsoring: number;
};

/** Stroops that each entry of an account reserves; the network has never changed it downwards, and drafts fail beyond it. */
const baseReserve = 5_000_000n;

/** What an account must hold for each new entry. */
export const newEntryUnits = baseReserve;

/** What a new account must hold. */
export const newAccountUnits = 2n * baseReserve;

const authorized = 1;

/** The account with its holding of the asset; null if it does not exist. */
export async function readAccountState(
  ask: AskStellar,
  address: string,
  asset: string,
): Promise<AccountState | null> {
  const [state = null] = await readAccountStates(ask, [{ address, asset }]);
  return state;
}

/** An account has three entries here. */
const statesMax = Math.floor(entriesMax / 3);

/** The same for several accounts, in few requests. */
export async function readAccountStates(
  ask: AskStellar,
  wanted: readonly { readonly address: string; readonly asset: string }[],
): Promise<readonly (AccountState | null)[]> {
  const states: (AccountState | null)[] = [];
  for (let start = 0; start < wanted.length; start += statesMax) {
    const keys = wanted
      .slice(start, start + statesMax)
      .map(({ address, asset }) => [
        holdingKey(address, native),
        memoRequiredKey(address),
        ...(asset === native ? [] : [holdingKey(address, asset)]),
      ]);
    const { entries } = await ask(entriesOf(keys.flat()));
    let at = 0;
    for (const { length } of keys) {
      states.push(stateOf(entries.slice(at, at + length)));
      at += length;
    }
  }
  return states;
}

function stateOf(entries: readonly (LedgerEntryData | null)[]): AccountState | null {
  const [account = null, memo = null, line = null] = entries;
  if (account === null) return null;
  if (account.type !== "account") throw new Malformed("an entry that is no account");
  return {
    sequence: account.account.seqNum,
    coin: coinHolding(account.account),
    sponsoring: sponsorshipIn(account.account)?.numSponsoring ?? 0,
    token: line === null ? null : tokenHolding(line),
    wantsMemo: memo?.type === "data" && Buffer.from(memo.data.dataValue.value).toString() === "1",
  };
}

/** What the chain lets an account spend of a holding; null is none. */
export function spendable(holding: Holding | null): bigint {
  const units = holding === null ? 0n : holding.units - holding.reserved;
  return units > 0n ? units : 0n;
}

type Account = Extract<LedgerEntryData, { readonly type: "account" }>["account"];

/** Two entries for itself, one for each of its others and for those that it pays for, less those that others pay for. */
function coinHolding({ balance, numSubEntries, ext }: Account): Holding {
  const sponsors = sponsorshipIn({ ext });
  const entries =
    2 + numSubEntries + (sponsors?.numSponsoring ?? 0) - (sponsors?.numSponsored ?? 0);
  const selling = ext.type === "v1" ? ext.v1.liabilities.selling : 0n;
  return { units: balance, reserved: BigInt(Math.max(0, entries)) * baseReserve + selling };
}

function sponsorshipIn({ ext }: Pick<Account, "ext">) {
  return ext.type === "v1" && ext.v1.ext.type === "v2" ? ext.v1.ext.v2 : null;
}

/** What a trust line states. */
export function tokenHolding(line: LedgerEntryData): NonNullable<AccountState["token"]> {
  if (line.type !== "trustline") throw new Malformed("an entry that is no trust line");
  const { balance, limit, flags, ext } = line.trustLine;
  const { buying, selling } = ext.type === "v1" ? ext.v1.liabilities : { buying: 0n, selling: 0n };
  const isAuthorized = (flags & authorized) !== 0;
  return {
    units: balance,
    reserved: isAuthorized ? selling : balance,
    isAuthorized,
    room: limit - balance - buying,
  };
}

function memoRequiredKey(address: string): LedgerKey {
  const accountId = publicKeyOf(address);
  return LedgerKey.data(new LedgerKeyData({ accountId, dataName: "config.memo_required" }));
}
