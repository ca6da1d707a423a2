import type { HttpNodes } from "../../rpc/http-nodes.ts";
import { RpcError } from "../../rpc/node-error.ts";
import type { MonerodNode } from "../monerod-node.ts";
import { newestHeader } from "../questions.ts";
import { askWallet } from "./view-wallet.ts";
import { walletHeight, walletVersion } from "./wallet-questions.ts";

/** A wallet that has not read this many blocks gets no blocks from its daemon. It reads before each draft, and now and then by itself. */
const behindMax = 720;

/** WALLET_RPC_ERROR_CODE_NOT_OPEN of monero's src/wallet/wallet_rpc_server_error_codes.h. */
const noWalletIsOpen = -13;

/**
 * Says what answers as the wallet program and how far it has read, without opening or changing anything. Throws if it does not answer, or if
 * the wallet that it has open stays far behind the chain.
 */
export async function checkViewWallet(
  wallet: HttpNodes,
  node: MonerodNode,
  signal: AbortSignal,
): Promise<string> {
  const version = await askWallet(wallet, walletVersion, signal);
  const read = await askWallet(wallet, walletHeight, signal).catch((error: unknown) => {
    // The worker opens its account with the first draft.
    if (error instanceof RpcError && error.code === noWalletIsOpen) return null;
    throw error;
  });
  const about = `monero-wallet-rpc, interface ${version}`;
  if (read === null) return `${about}, no wallet is open`;
  const { height } = await node.consult((ask) => ask(newestHeader), signal);
  if (height - read > behindMax)
    throw new Error(
      `it has read up to block ${read} of ${height}: the daemon that it was started with does not give it blocks`,
    );
  return `${about}, has read up to block ${read}`;
}
