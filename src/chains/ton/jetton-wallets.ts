import { Cell } from "@ton/core";
import type { Currency } from "../../currencies/currency.ts";
import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { NodeFault } from "../rpc/node-error.ts";
import {
  accountState,
  accountText,
  addressArgument,
  getMethod,
  type MethodStack,
} from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";

/** Finds wallets of the deployment's jettons. What it found does not change, so it asks once. */
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
 * Asks the real master for the wallet of an owner. Anyone can make a contract that behaves as a wallet of a jetton, so nothing else decides
 * which wallet is genuine. A wallet that has code is asked for its owner and master, and both must agree.
 */
export function createJettonWallets(
  masters: ReadonlyMap<CurrencyId, string>,
  network: TonNetworkKind,
): JettonWallets {
  const known = new Map<string, string>();
  const walletOf: JettonWallets["walletOf"] = async (ask, owner, jetton) => {
    const master = masters.get(jetton);
    if (master === undefined) throw new RangeError(`no jetton ${jetton}`);
    const key = `${owner} ${jetton}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const answer = await ask(
      getMethod(master, "get_wallet_address", [addressArgument(owner)], null),
    );
    const wallet = answer === null ? null : addressIn(answer[0], network);
    if (wallet === null)
      throw new NodeFault("garbage", `says that ${master} is no master of a jetton`);
    if ((await ask(accountState(wallet, null))).kind === "active")
      await verifyWallet(ask, network, { wallet, owner, master });
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

async function verifyWallet(
  ask: AskToncenter,
  network: TonNetworkKind,
  expected: { readonly wallet: string; readonly owner: string; readonly master: string },
): Promise<void> {
  const { wallet, owner, master } = expected;
  const data = await ask(getMethod(wallet, "get_wallet_data", [], null));
  if (addressIn(data?.[1], network) !== owner || addressIn(data?.[2], network) !== master)
    throw new NodeFault("garbage", `says that ${wallet} is the wallet of ${owner} for ${master}`);
}

function addressIn(value: MethodStack[number] | undefined, network: TonNetworkKind): string | null {
  if (!(value instanceof Cell)) return null;
  const address = value.beginParse().loadMaybeAddress();
  return address === null ? null : accountText(address, network);
}
