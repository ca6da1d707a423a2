import type { CheckoutPayment } from "../../../../src/deposits/checkout/checkout-state.ts";
import type { Messages } from "../languages/messages.ts";
import type { Provider } from "./find-wallets.ts";
import { transferCall } from "./transfer-call.ts";

export type WalletError = keyof Messages["wallet"]["errors"] | "changed";

/** A wallet's error, mapped to the page's reasons. */
export class WalletRefused extends Error {
  readonly reason: WalletError;

  constructor(reason: WalletError, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * Asks a wallet to pay the amount remaining and returns the transaction id. Checks `isStillOwed` right before sending, because
 * the amount may have changed or been paid while the wallet showed its prompts. Rejects with `WalletRefused` only.
 */
export async function payWithWallet(
  provider: Provider,
  { address, evm }: CheckoutPayment,
  isStillOwed: () => boolean,
): Promise<string> {
  if (evm?.units === undefined || evm.units === null) throw new WalletRefused("changed");
  const [from] = await request<readonly string[]>(
    provider,
    "eth_requestAccounts",
    [],
    "no_account",
  );
  if (from === undefined) throw new WalletRefused("no_account");
  await switchChain(provider, evm.chainId);
  if (!isStillOwed()) throw new WalletRefused("changed");
  const transaction = transferCall(from, address, evm.units, evm.token);
  return request<string>(provider, "eth_sendTransaction", [transaction], "failed");
}

async function switchChain(provider: Provider, chainId: number): Promise<void> {
  const requestedChain = BigInt(chainId);
  if ((await chainOf(provider)) === requestedChain) return;
  const params = [{ chainId: `0x${requestedChain.toString(16)}` }];
  await request(provider, "wallet_switchEthereumChain", params, "wrong_network");
  // Some wallets respond before they have switched, or do not switch at all.
  if ((await chainOf(provider)) !== requestedChain) throw new WalletRefused("wrong_network");
}

async function chainOf(provider: Provider): Promise<bigint> {
  return BigInt(await request<string>(provider, "eth_chainId", [], "wrong_network"));
}

async function request<Result>(
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

/** Maps the codes of EIP-1193, EIP-1474 and EIP-3326. Insufficient funds has no code, so nodes are matched by their message. */
function reasonOf(error: unknown, otherwise: WalletError): WalletError {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (code === 4001) return "rejected";
  if (code === -32002) return "busy";
  if (code === 4902) return "unknown_network";
  if (/insufficient funds|exceeds balance/i.test(String(message))) return "funds";
  return otherwise;
}
