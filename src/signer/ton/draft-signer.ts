import { isDeepStrictEqual } from "node:util";
import {
  addSeconds,
  type Clock,
  instantFromSeconds,
  microsPerSecond,
} from "../../platform/kernel/clock.ts";
import { DraftRefused, type DraftSigner, type Ed25519Keys } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { type KeyNetwork, tonHotPath } from "../keys/account-paths.ts";
import { accountText, readAccount, timeout, walletOf } from "./account.ts";
import { readDraft } from "./read-draft.ts";
import type { TonCall, TonOrder } from "./read-order.ts";
import { signOrder } from "./sign-order.ts";

export type TonDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: KeyNetwork;
  /** The cold address, in its canonical spelling; null for none. */
  readonly coldAddress: string | null;
  readonly clock: Clock;
};

/** What a message may cost in gas, storage and delivery, in nanotons; the signer cannot compute it from the message. */
const networkFeeMax = 20_000_000n;
/** Seconds until a masterchain block refers to the last block of a shard in which the message is valid. */
const shardDelay = 60n;
/** How far the network's time may be ahead of ours, in seconds. */
const clockSkewMax = 600;

/** What the intent requires the draft to do. The jetton's own wallet and what goes along for its cost are not part of it. */
type Requirement = {
  readonly type: TonCall["type"];
  readonly to: Uint8Array;
  readonly units: bigint;
  readonly comment: string | null;
};

/** Signs the messages of the hot account of TON: one payment each, in coin or in a jetton. Throws `RangeError` for an invalid cold address. */
export function createTonDraftSigner(options: TonDraftSignerOptions): DraftSigner<Ed25519Keys> {
  const { chain, network, coldAddress, clock } = options;
  const path = tonHotPath(network);
  if (coldAddress !== null) assertCold(coldAddress, network);
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const { from, order, sequence } = readDraft(body, network);
      assertOwn(from, walletOfKey(keys, path), network);
      const latest = Math.floor(addSeconds(clock.now(), clockSkewMax) / microsPerSecond);
      if (order.createdAt > BigInt(latest))
        throw new DraftRefused(`is made at ${order.createdAt}, after our time`);
      assertMatches(order, requirementOf(intent, network, coldAddress), network);
      const feeUnits = networkFeeMax + (order.call.type === "jetton" ? order.call.value : 0n);
      if (feeUnits > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns up to ${feeUnits}, above ${intent.feeCeiling}`);
      return {
        claims: [`${accountText(from, network)}#${sequence}`],
        feeUnits,
        validity: {
          kind: "time",
          until: instantFromSeconds(Number(order.createdAt + timeout + shardDelay)),
        },
      };
    },
    sign: (body, keys) => {
      const draft = readDraft(body, network);
      const key = keys.ed25519At(path);
      try {
        assertOwn(draft.from, walletOf(key.publicKey), network);
        return signOrder(draft, key);
      } finally {
        key.wipe();
      }
    },
  };
}

function walletOfKey(keys: Ed25519Keys, path: string): Uint8Array {
  const key = keys.ed25519At(path);
  try {
    return walletOf(key.publicKey);
  } finally {
    key.wipe();
  }
}

function assertOwn(from: Uint8Array, own: Uint8Array, network: KeyNetwork): void {
  if (!isDeepStrictEqual(from, own))
    throw new DraftRefused(`no key for ${accountText(from, network)}`);
}

function requirementOf(
  intent: SpendIntent,
  network: KeyNetwork,
  coldAddress: string | null,
): Requirement {
  switch (intent.kind) {
    case "payout": {
      const [payout, ...others] = intent.payouts;
      if (payout === undefined || others.length > 0)
        throw new DraftRefused("a message of this chain pays exactly one payout");
      if (payout.chain !== intent.chain)
        throw new DraftRefused(`the payout belongs to ${payout.chain}`);
      return {
        type: payout.asset.kind === "token" ? "jetton" : "coin",
        to: readAccount(payout.address, network, "the intended address"),
        units: unitsOf(payout.units),
        comment: payout.tag,
      };
    }
    case "cold":
      if (coldAddress === null) throw new DraftRefused("no cold address is configured");
      return {
        type: intent.asset.kind === "token" ? "jetton" : "coin",
        to: readAccount(coldAddress, network, "the cold address"),
        units: unitsOf(intent.units),
        comment: null,
      };
    case "gap":
    case "sweep":
    case "top_up":
    case "consolidation":
    case "delegate":
    case "opt_in":
    case "undelegate":
      throw new DraftRefused(`${intent.kind} is not signed on ${intent.chain}`);
  }
}

function assertMatches(
  { call, comment }: TonOrder,
  required: Requirement,
  network: KeyNetwork,
): void {
  const { type, to, units } = call;
  if (!isDeepStrictEqual({ type, to, units, comment }, required))
    throw new DraftRefused(
      `does ${describe({ type, to, units, comment }, network)} instead of ${describe(required, network)}`,
    );
}

function describe({ comment, to, type, units }: Requirement, network: KeyNetwork): string {
  const text =
    comment === null ? "without a comment" : `with the comment ${JSON.stringify(comment)}`;
  return `a payment of ${units} units of ${type} to ${accountText(to, network)} ${text}`;
}

function assertCold(coldAddress: string, network: KeyNetwork): void {
  try {
    readAccount(coldAddress, network, "the cold address");
  } catch (error) {
    if (error instanceof DraftRefused) throw new RangeError(error.message);
    throw error;
  }
}

/** Amounts have up to 120 bits; more than 64 are more than any supply. */
function unitsOf(text: string): bigint {
  if (!/^[1-9]\d{0,19}$/.test(text) || BigInt(text) >= 2n ** 64n)
    throw new DraftRefused("the intended amount is not a positive integer of 64 bits");
  return BigInt(text);
}
