import type { ChainId } from "../currencies/currency.ts";
import type { World } from "../platform/kernel/world.ts";
import { type ChainPayer, followedDepth } from "./chain-payer.ts";
import {
  createMoneroDrive,
  mineMonero,
  payFromMoneroFaucet,
  reorgMonero,
} from "./drive-monero-node.ts";
import type { MoneroSite } from "./sandbox-file.ts";

/** Pays from the faucet wallet of a private chain. */
export function createMoneroPayer(
  chain: ChainId,
  { faucet_wallet_url, rpc_url }: MoneroSite,
  world: World,
): ChainPayer {
  const drive = createMoneroDrive({
    ...world,
    chain,
    rpcUrl: rpc_url,
    walletUrl: faucet_wallet_url,
  });
  return {
    pay: (_currency, address, units) => payFromMoneroFaucet(drive, [{ address, units }]),
    mine: (count) => mineMonero(drive, count),
    reorg: (depth, transactions) => reorgMonero(drive, depth, transactions),
    tip: async () => {
      const { block_header } = await drive.daemon<{
        readonly block_header: { readonly height: number; readonly hash: string };
      }>("get_last_block_header");
      return { height: block_header.height, hash: block_header.hash };
    },
    reorgDepthMax: followedDepth(chain),
    close: drive.close,
  };
}
