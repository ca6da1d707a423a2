import { isDeepStrictEqual } from "node:util";
import { DraftRefused, type DraftSigner, type KeyRing } from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent } from "../intent.ts";
import type { KeyNetwork } from "../keys/account-paths.ts";
import { accountOfKey, accountText, hotPathOf, publicKeyAt, readAccount } from "./own-account.ts";
import { readDraft } from "./read-draft.ts";
import type { XrplAction } from "./read-transaction.ts";
import { signTransaction } from "./sign-transaction.ts";

export type XrplDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: KeyNetwork;
  /** The network's number; transactions name it above 1024. */
  readonly networkId: number;
  /** The cold address, a classic one; null for none. */
  readonly coldAddress: string | null;
};

/** The most that one transaction burns, in drops: a thousand times the fee of a busy ledger. */
const feeUnitsMax = 5_000_000n;
const unnamedNetworkMax = 1024;

/**
 * Signs the transactions of the hot account on the XRP Ledger: payouts and cold transfers of XRP, and the AccountSet that makes it
 * require destination tags, which also uses up a sequence. Throws `RangeError` for an invalid cold address.
 */
export function createXrplDraftSigner(options: XrplDraftSignerOptions): DraftSigner<KeyRing> {
  const { chain, coldAddress, network, networkId } = options;
  if (coldAddress !== null) assertCold(coldAddress);
  const path = hotPathOf(network);
  const named = networkId > unnamedNetworkMax ? networkId : null;
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const { transaction } = readDraft(body);
      const { action, feeUnits, lastLedger, sequence } = transaction;
      if (transaction.networkId !== named)
        throw new DraftRefused(`names the network ${transaction.networkId} instead of ${named}`);
      const hot = accountOfKey(publicKeyAt(keys, path));
      const required = requiredAction(intent, hot, coldAddress);
      if (!isDeepStrictEqual(action, required))
        throw new DraftRefused(`does ${describe(action)} instead of ${describe(required)}`);
      if (feeUnits > feeUnitsMax) throw new DraftRefused(`burns ${feeUnits}, above ${feeUnitsMax}`);
      if (feeUnits > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns ${feeUnits}, above ${intent.feeCeiling}`);
      return {
        claims: [`${accountText(action.from)}#${sequence}`],
        feeUnits,
        validity: { kind: "height", last: lastLedger },
      };
    },
    sign: (body, keys) => {
      const { transaction, unsigned } = readDraft(body);
      const { accountsAt, action } = transaction;
      if (accountOfKey(publicKeyAt(keys, path)) !== action.from)
        throw new DraftRefused(`no key for ${accountText(action.from)}`);
      return signTransaction({ unsigned, accountsAt }, keys, path);
    },
  };
}

function requiredAction(intent: SpendIntent, from: string, coldAddress: string | null): XrplAction {
  switch (intent.kind) {
    case "payout": {
      const [payout, ...others] = intent.payouts;
      if (payout === undefined || others.length > 0)
        throw new DraftRefused("a transaction of this chain pays exactly one payout");
      if (payout.chain !== intent.chain)
        throw new DraftRefused(`the payout belongs to ${payout.chain}`);
      assertCoin(payout.asset);
      const to = readAccount(payout.address, "the intended address");
      return { type: "payment", from, to, tag: tagOf(payout.tag), units: unitsOf(payout.units) };
    }
    case "cold": {
      if (coldAddress === null) throw new DraftRefused("no cold address is configured");
      assertCoin(intent.asset);
      const to = readAccount(coldAddress, "the cold address");
      return { type: "payment", from, to, tag: null, units: unitsOf(intent.units) };
    }
    case "gap":
      return { type: "requireTag", from };
    case "sweep":
    case "top_up":
    case "consolidation":
    case "delegate":
    case "undelegate":
    case "opt_in":
      throw new DraftRefused(`${intent.kind} is not signed on ${intent.chain}`);
  }
}

function describe(action: XrplAction): string {
  const { from, type } = action;
  if (type === "requireTag") return `requiring tags at ${accountText(from)}`;
  const to = `${accountText(action.to)} under ${action.tag ?? "no tag"}`;
  return `a payment of ${action.units} from ${accountText(from)} to ${to}`;
}

function assertCoin({ kind }: IntendedAsset): void {
  if (kind !== "coin") throw new DraftRefused("only XRP is paid on this chain");
}

function assertCold(coldAddress: string): void {
  try {
    readAccount(coldAddress, "the cold address");
  } catch (error) {
    if (error instanceof DraftRefused) throw new RangeError(error.message);
    throw error;
  }
}

function tagOf(tag: string | null): string | null {
  if (tag !== null && (!/^(?:0|[1-9]\d{0,9})$/.test(tag) || Number(tag) >= 2 ** 32))
    throw new DraftRefused("the intended tag is not a number of 32 bits");
  return tag;
}

function unitsOf(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new DraftRefused("the intended amount is not a positive integer");
  return BigInt(text);
}
