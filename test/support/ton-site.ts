import type { TonSite } from "../../src/sandbox/sandbox-file.ts";
import { faucetSecretKey, jettonWallets, tokens } from "../../src/sandbox/ton/genesis.ts";
import { globalId } from "../../src/sandbox/ton/network.ts";

/** How a simulated TON network on that port is reached. */
export function tonSiteAt(port: number): TonSite {
  const url = `http://127.0.0.1:${port}`;
  return {
    family: "ton",
    simulated: true,
    rpc_url: `${url}/api/v2/jsonRPC`,
    v3_url: `${url}/api/v3`,
    sandbox_url: `${url}/sandbox`,
    faucet_secret_key: faucetSecretKey,
    global_id: globalId,
    jetton_wallets: jettonWallets,
    tokens,
  };
}
