import { Cell } from "@ton/core";
import type { Currency } from "../../currencies/currency.ts";
import { readTonAddress, tonAddressText } from "../../currencies/ton-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { jettonWalletId } from "./jetton-address.ts";
import type { TonNetwork } from "./network.ts";
import { accountText, addressArgument, getMethod } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";

/** Finds wallets of the deployment's jettons. */
export type JettonWallets = {
  /** Whose wallet of which jetton an account is: by the account in its canonical spelling. */
  readonly of: (ask: AskToncenter, owner: string) => Promise<ReadonlyMap<string, CurrencyId>>;
  /** An owner's wallet of a jetton. */
  readonly walletOf: (ask: AskToncenter, owner: string, jetton: CurrencyId) => Promise<string>;
};

/** Jettons by the account of their master. */
export function mastersOf(currencies: readonly Currency[]): ReadonlyMap<CurrencyId, string> {
  return new Map(
    currencies.flatMap(({ id, token }) => (token === null ? [] : [[id, token.locator] as const])),
  );
}

/**
 * Computes the wallets of an owner from the known code: anyone can make a contract that behaves as a wallet of a jetton, so no node decides
 * which one is genuine. The master is asked once for each, because a wrong code would lead to an account that nobody pays.
 */
export function createJettonWallets(
  masters: ReadonlyMap<CurrencyId, string>,
  { kind, jettonWallets }: TonNetwork,
): JettonWallets {
  const known = new Map<string, string>();
  const walletOf: JettonWallets["walletOf"] = async (ask, owner, jetton) => {
    const master = masters.get(jetton);
    if (master === undefined) throw new RangeError(`no jetton ${jetton}`);
    const key = `${owner} ${jetton}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const form = present(jettonWallets[master], `the wallets of the jetton ${master}`);
    const wallet = tonAddressText(jettonWalletId(idOf(owner), idOf(master), form), kind);
    const answer = await ask(
      getMethod(master, "get_wallet_address", [addressArgument(owner)], null),
    );
    const named = answer?.[0];
    const address = named instanceof Cell ? named.beginParse().loadMaybeAddress() : null;
    const theirs = address === null ? null : accountText(address, kind);
    if (theirs === null)
      throw new NodeFault("garbage", `says that ${master} is no master of a jetton`);
    if (theirs !== wallet)
      throw new NodeFault(
        "garbage",
        `says that the wallet of ${owner} for ${master} is ${theirs}, but the code that is known gives ${wallet}`,
      );
    known.set(key, wallet);
    return wallet;
  };
  return {
    walletOf,
    of: async (ask, owner) => {
      const wallets = new Map<string, CurrencyId>();
      for (const jetton of masters.keys()) wallets.set(await walletOf(ask, owner, jetton), jetton);
      return wallets;
    },
  };
}

function idOf(account: string): Uint8Array {
  return present(readTonAddress(account), "an address").id;
}
