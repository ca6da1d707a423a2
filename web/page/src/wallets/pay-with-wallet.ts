import type { CheckoutPayment } from "../../../../src/deposits/checkout/checkout-state.ts";
import type { Messages } from "../languages/messages.ts";
import type { Provider } from "./find-wallets.ts";
import { transferCall } from "./transfer-call.ts";

export type WalletError = keyof Messages["wallet"]["errors"] | "changed";

/** A refusal of the wallet, by the page's own name. */
export class WalletRefused extends Error {
  readonly reason: WalletError;

  constructor(reason: WalletError, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * Has a wallet pay what is missing, and returns the transaction's id. `isStillOwed` is asked when the wallet is ready: what
 * was asked for may have changed, or been paid, while its owner read its questions. Rejects with `WalletRefused` only.
 */
export async function payWithWallet(
  provider: Provider,
  { address, evm }: CheckoutPayment,
  isStillOwed: () => boolean,
): Promise<string> {
  if (evm?.units === undefined || evm.units === null) throw new WalletRefused("changed");
  const [from] = await ask<readonly string[]>(provider, "eth_requestAccounts", [], "no_account");
  if (from === undefined) throw new WalletRefused("no_account");
  await switchChain(provider, evm.chainId);
  if (!isStillOwed()) throw new WalletRefused("changed");
  const transaction = transferCall(from, address, evm.units, evm.token);
  return ask<string>(provider, "eth_sendTransaction", [transaction], "failed");
}

async function switchChain(provider: Provider, chainId: number): Promise<void> {
  const wanted = BigInt(chainId);
  if ((await chainOf(provider)) === wanted) return;
  const params = [{ chainId: `0x${wanted.toString(16)}` }];
  await ask(provider, "wallet_switchEthereumChain", params, "wrong_network");
  // Some wallets answer before they have switched, or without.
  if ((await chainOf(provider)) !== wanted) throw new WalletRefused("wrong_network");
}

async function chainOf(provider: Provider): Promise<bigint> {
  return BigInt(await ask<string>(provider, "eth_chainId", [], "wrong_network"));
}

async function ask<Result>(
  provider: Provider,
  method: string,
  params: readonly unknown[],
  otherwise: WalletError,
): Promise<Result> {
  try {
    return (await provider.request({ method, params })) as Result;
  } catch (error) {
    throw new WalletRefused(reasonOf(error, otherwise), error);
  }
}

/** By the codes of EIP-1193, EIP-1474 and EIP-3326; by words only where nodes have no code of their own. */
function reasonOf(error: unknown, otherwise: WalletError): WalletError {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (code === 4001) return "rejected";
  if (code === -32002) return "busy";
  if (code === 4902) return "unknown_network";
  if (/insufficient funds|exceeds balance/i.test(String(message))) return "funds";
  return otherwise;
}
